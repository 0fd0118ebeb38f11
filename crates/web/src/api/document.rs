//! The OpenAPI document: the entries of the routes, and the parts that all routes share.

use super::problem::{KEY, Kind, Problem};
use super::{examples::Examples, texts::LONGEST_TEXTS};
use crate::{asked::MAX_BODY, limits::Limits};
use axum::http::StatusCode;
use fracas_live::nudger::{ID, Message, SIGNATURE, TIMESTAMP};
use fracas_live::take_in::MAX_FILE;
use utoipa::OpenApi;
use utoipa::openapi::{
    self, Components, Content, ContentBuilder, HeaderBuilder, ObjectBuilder, PathItem, PathsBuilder, Ref,
    RefOr, Required, Response, ResponseBuilder, Schema, Type,
    header::Header,
    path::{HttpMethod, Operation, OperationBuilder, Parameter, ParameterBuilder, ParameterIn},
    request_body::RequestBodyBuilder,
    security::{Http, HttpAuthScheme, SecurityScheme},
};

#[derive(OpenApi)]
#[openapi(
    info(title = "Fracas"),
    tags(
        (name = "systems", description = "What needs no token"),
        (name = "table", description = "What a role may see"),
        (name = "play", description = "What a seat does"),
        (name = "gamemaster", description = "What the gamemaster alone does"),
        (name = "people", description = "Who may come in"),
    ),
    components(schemas(Problem, Message)),
)]
struct Document;

/// The document before the routes have added their entries.
pub(super) fn beginning() -> openapi::OpenApi {
    Document::openapi()
}

/// The introduction to the API, with its limits.
fn introduction(limits: &Limits) -> String {
    let mut text = format!(
        "Tables of tabletop role-playing games, for programs: bots, overlays, other tables.\n\n\
         A token is good for one role at one table. It reads what that role may see and, where it plays, \
         does what that role may do; `Authorization: Bearer TOKEN` carries it. A stream of several \
         tables takes a token for each, in its body. In `security`, `play` is \
         said where a token must play, `gm` where it must be the gamemaster's.\n\n\
         What was not done is told as a problem (RFC 9457); then nothing has changed.\n\n\
         **Sent again.** A request with a header `{key}` that is sent again is not done again. Under the \
         same key another body, or another operation, is refused (`otherwise`, 422). Keys are a token's \
         own: nobody else's are compared. A key that opens a table without a token has 16 letters at \
         least, for a caller who knows it is given the table; any other has one at least.\n\n\
         **Limits.** `RateLimit-Policy` names those that hold for a request, `RateLimit` what is left of \
         those that are counted by its token (without a token they are counted by address). What is \
         counted by address is shared by all who come from there, and nobody is told what is left of \
         it. Beyond a limit a request is answered with 429 and `Retry-After`.\n",
        key = KEY,
    );
    for policy in limits.policies() {
        let words = policy.words().unwrap_or_else(|| "no limit on this server".to_owned());
        text += &format!("\n- `{}` ({}): {words}", policy.name, policy.of);
    }
    text += &format!(
        "\n\nA request may have {} KB, one that brings texts {} KB, a log {} MB with the token of a \
         gamemaster who is known here.",
        MAX_BODY >> 10,
        LONGEST_TEXTS >> 10,
        MAX_FILE >> 20,
    );
    if let Some(words) = limits.writing_words() {
        text += &format!(" A seat may write {words}; a command counts as what it says and 1 KB.");
    }
    if limits.streams < usize::MAX {
        text += &format!(
            " A seat may have {} streams open, and so may each who watches; all who watch one table {}.",
            limits.streams, limits.streams_at_table
        );
    }
    text
}

/// The parameters in addresses, with their descriptions.
const PARTS: [(&str, &str); 7] = [
    ("table", "The table's id"),
    ("system", "The system's id"),
    ("clause", "The clause's id"),
    ("kind", "What sort of thing it is, as the library or the system's `templates` say"),
    ("id", "The id or name in the library's list"),
    ("ask", "The ask, as the table calls it"),
    ("pass", "The id of the link or token; `this` is the token that asks"),
];

fn string() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}

/// The parameters in this address.
fn in_path(path: &str) -> impl Iterator<Item = RefOr<Parameter>> {
    let parts = PARTS.iter().filter(move |(name, _)| path.contains(&format!("{{{name}}}")));
    parts.map(|(name, what)| {
        let part = ParameterBuilder::new()
            .name(*name)
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .description(Some(*what))
            .schema(Some(string()));
        RefOr::T(part.build())
    })
}

/// Response headers that several operations share.
fn headers() -> [(&'static str, Header); 4] {
    let header = |schema: ObjectBuilder, description| {
        HeaderBuilder::new().schema(Some(schema)).description(Some(description)).build()
    };
    let seconds = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1));
    [
        ("Location", header(string(), "The address below this server of what was made")),
        (
            "RateLimit",
            header(
                string(),
                "What is left of the limits that are this token's own: `r` of each at once, and all of it \
                 after `t` seconds. `\"requests\";r=299;t=1`",
            ),
        ),
        (
            "RateLimit-Policy",
            header(
                string(),
                "The limits that hold for this request: `q` of each at once, regained evenly over `w` \
                 seconds. `\"requests\";q=300;w=6`",
            ),
        ),
        ("Retry-After", header(seconds, "In how many seconds to come again")),
    ]
}

/// A reference to a part elsewhere in the document.
fn shared<T>(place: &str, name: &str) -> RefOr<T> {
    RefOr::Ref(Ref::new(format!("#/components/{place}/{name}")))
}

/// The document's name for a status: `TooManyRequests`.
fn name(status: StatusCode) -> String {
    status.canonical_reason().unwrap_or("Problem").replace([' ', '-'], "")
}

/// A response of this status that is a problem.
fn problem(status: StatusCode) -> Response {
    let kinds = Kind::ALL.into_iter().filter(|kind| kind.status() == status);
    let descriptions = kinds.map(|kind| format!("`{}`: {}. {}", kind.slug(), kind.title(), kind.hint()));
    let mut response = problem_response(&descriptions.collect::<Vec<_>>().join("\n\n"));
    if Kind::ALL.iter().any(|kind| kind.status() == status && kind.again_in().is_some()) {
        response.headers.insert("Retry-After".to_owned(), shared("headers", "Retry-After"));
    }
    if status == StatusCode::TOO_MANY_REQUESTS {
        limited(&mut response);
    }
    if status == StatusCode::UNAUTHORIZED {
        let description = "How to say who asks: `Bearer`";
        let header = HeaderBuilder::new().schema(Some(string())).description(Some(description)).build();
        response.headers.insert("WWW-Authenticate".to_owned(), RefOr::T(header));
    }
    response
}

fn problem_response(description: &str) -> Response {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
    ResponseBuilder::new().description(description).content("application/problem+json", content).build()
}

/// Adds the headers of limits.
fn limited(response: &mut Response) {
    for name in ["RateLimit", "RateLimit-Policy"] {
        response.headers.insert(name.to_owned(), shared("headers", name));
    }
}

/// The kinds of problems that an operation may have, by its parameters. Those that any
/// operation may have are its `default`.
fn problems(path: &str, method: &str, operation: &Operation) -> Vec<Kind> {
    let has = |at: ParameterIn, name: Option<&str>| {
        let all = operation.parameters.iter().flatten();
        all.filter_map(|parameter| if let RefOr::T(parameter) = parameter { Some(parameter) } else { None })
            .any(|parameter| parameter.parameter_in == at && name.is_none_or(|name| parameter.name == name))
    };
    let scopes: Vec<&str> = (operation.security.iter().flatten())
        .flat_map(|requirement| {
            serde_json::to_value(requirement).unwrap_or_default()["token"].as_array().cloned()
        })
        .flatten()
        .filter_map(|scope| match scope.as_str() {
            Some("play") => Some("play"),
            Some("gm") => Some("gm"),
            _ => None,
        })
        .collect();
    let (with_token, sends) = (operation.security.is_some(), operation.request_body.is_some());
    let (named, changes) = (has(ParameterIn::Header, Some(KEY)), method != "get");
    // A stream of several tables has its tokens in the body.
    let with_token = with_token || path.ends_with("/v1/stream");
    let at_table = path.contains("{table}");
    let commands = named && at_table && !path.ends_with("/passes") && !path.ends_with("/next");
    let all = [
        (with_token, [Kind::NoToken, Kind::Deleted].as_slice()),
        (!scopes.is_empty() || method == "delete", &[Kind::NotYours]),
        (path.contains('{'), &[Kind::Absent]),
        (sends, &[Kind::Unreadable, Kind::NotJson, Kind::TooLong, Kind::Refused]),
        (has(ParameterIn::Query, None) || named, &[Kind::Unreadable]),
        (named, &[Kind::Otherwise, Kind::Stale]),
        (commands, &[Kind::Paused]),
        (changes && !path.ends_with("/check") && !path.ends_with("/preview"), &[Kind::NotKept]),
        (true, &[Kind::TooOften]),
    ];
    all.into_iter().filter(|(may, _)| *may).flat_map(|(_, kinds)| kinds).copied().collect()
}

/// Adds the parts that all addresses share: parameters, authentication, limits and problems.
pub(super) fn complete(document: &mut openapi::OpenApi, limits: &Limits) {
    document.info.description = Some(introduction(limits));
    let examples = Examples::of_all();
    let components = document.components.get_or_insert_default();
    let scheme = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    components.security_schemes.insert("token".to_owned(), RefOr::T(scheme));
    components.headers = headers().map(|(name, header)| (name.to_owned(), RefOr::T(header))).into();
    let statuses = Kind::ALL.map(Kind::status);
    components.responses = statuses.map(|status| (name(status), RefOr::T(problem(status)))).into();
    let other = problem_response("It was not done, and nothing has changed");
    components.responses.insert("Problem".to_owned(), RefOr::T(other));
    for (path, item) in &mut document.paths.paths {
        let operations = [("get", &mut item.get), ("post", &mut item.post), ("delete", &mut item.delete)];
        for (method, operation) in operations {
            let Some(operation) = operation else { continue };
            operation.parameters.get_or_insert_default().splice(0..0, in_path(path));
            examples.add_to(operation);
            let kinds = problems(path, method, operation);
            for (status, response) in &mut operation.responses.responses {
                let RefOr::T(response) = response else { continue };
                describe(response, components);
                limited(response);
                if status == "201" {
                    response.headers.insert("Location".to_owned(), shared("headers", "Location"));
                }
            }
            for status in kinds.into_iter().map(Kind::status) {
                let response = shared("responses", &name(status));
                operation.responses.responses.insert(status.as_str().to_owned(), response);
            }
            operation.responses.responses.insert("default".to_owned(), shared("responses", "Problem"));
        }
    }
    document.webhooks = Some(webhooks().into());
}

/// Describes a response in the words of its schema, if it has none of its own.
fn describe(response: &mut Response, components: &Components) {
    if !response.description.is_empty() {
        return;
    }
    let of = |schema: &RefOr<Schema>| match schema {
        RefOr::Ref(to) => {
            let name = to.ref_location.rsplit('/').next()?;
            let RefOr::T(Schema::Object(object)) = components.schemas.get(name)? else { return None };
            object.description.clone()
        }
        RefOr::T(_) => None,
    };
    let schema = response.content.values().find_map(|content| match content {
        RefOr::T(Content { schema, .. }) => schema.as_ref(),
        RefOr::Ref(_) => None,
    });
    let description = schema.and_then(|schema| match schema {
        RefOr::T(Schema::Array(array)) => match &array.items {
            openapi::schema::ArrayItems::RefOrSchema(item) => Some(format!("A list. Each: {}", of(item)?)),
            openapi::schema::ArrayItems::False => None,
        },
        schema => of(schema),
    });
    response.description = description.unwrap_or_default();
}

/// The webhooks of a table.
fn webhooks() -> PathsBuilder {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("WebhookMessage"))).build();
    let body = RequestBodyBuilder::new().content("application/json", content).required(Some(Required::True));
    let header = |name, description| {
        let header = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Header);
        header.required(Required::True).description(Some(description)).schema(Some(string())).build()
    };
    let id = header(ID, "The message's own name, the same each time that it is sent");
    let timestamp = header(TIMESTAMP, "When it was sent this time, in seconds since 1970");
    let signature = header(
        SIGNATURE,
        "`v1,` and the HMAC-SHA256 of `webhook-id.webhook-timestamp.body` in Base64, as in \
         https://www.standardwebhooks.com; its key is the webhook's `secret`",
    );
    let taken = ResponseBuilder::new().description("It was taken: it is not sent again").build();
    let operation = OperationBuilder::new()
        .operation_id(Some("webhook_message"))
        .tag("gamemaster")
        .summary(Some("What a table tells the address that its gamemaster chose"))
        .description(Some(
            "Sent three times at most: again where nothing answers, or the answer is 429 or of the kind 5xx. \
             What has not been delivered when the server ends is not sent any more; lines can be read \
             from the table.",
        ))
        .parameter(id)
        .parameter(timestamp)
        .parameter(signature)
        .request_body(Some(body.build()))
        .response("2XX", taken);
    PathsBuilder::new().path("message", PathItem::new(HttpMethod::Post, operation))
}
