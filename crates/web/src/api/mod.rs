//! The API: everything a page can do, for programs with a token.
//!
//! A route and its entry in the OpenAPI document are one thing, so neither can be
//! without the other. What is sent is the projection of the token's role
//! ([`shape`]); what is done goes the way of people's commands. No cookie counts
//! here, so nothing can be done in somebody's name by a page of another site.

mod act;
mod caller;
mod cors;
mod delete;
mod key;
mod next;
mod open;
mod page;
mod people;
mod problem;
mod read;
mod shape;
mod stream;
mod systems;
mod texts;

pub(crate) use caller::bearer;
pub(crate) use cors::cors;
pub(crate) use page::page;
pub(crate) use problem::{Kind, Problem};

use crate::app::App;
use axum::{Router, http::header, response::IntoResponse, routing::get};
use std::sync::Arc;
use utoipa::{
    OpenApi,
    openapi::{
        self, ContentBuilder, ObjectBuilder, Ref, RefOr, Required, ResponseBuilder, Type,
        path::{Parameter, ParameterBuilder, ParameterIn},
        security::{Http, HttpAuthScheme, SecurityScheme},
    },
};
use utoipa_axum::{router::OpenApiRouter, routes};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Fracas",
        description = "Tables of tabletop role-playing games, for programs: bots, overlays, other tables.\n\n\
            A token is good for one role at one table. It reads what that role may see and, where it plays, \
            does what that role may do; `Authorization: Bearer TOKEN` carries it. In `security`, `play` is \
            said where a token must play, `gm` where it must be the gamemaster's.",
    ),
    tags(
        (name = "systems", description = "What needs no token"),
        (name = "table", description = "What a role may see"),
        (name = "play", description = "What a seat does"),
        (name = "gamemaster", description = "What the gamemaster alone does"),
        (name = "people", description = "Who may come in"),
    ),
    components(schemas(problem::Problem)),
)]
struct Document;

/// The API's addresses below `/api/v1`, and the document that describes them.
fn parts() -> (Router<Arc<App>>, openapi::OpenApi) {
    let (router, mut document) = OpenApiRouter::with_openapi(Document::openapi())
        .nest(
            "/api/v1",
            OpenApiRouter::new()
                .routes(routes!(systems::systems))
                .routes(routes!(systems::rules))
                .routes(routes!(systems::rule))
                .routes(routes!(systems::library))
                .routes(routes!(systems::in_library))
                .routes(routes!(systems::template))
                .routes(routes!(systems::check))
                .routes(routes!(open::open))
                .routes(routes!(open::take_in))
                .routes(routes!(next::company))
                .routes(routes!(next::next))
                .routes(routes!(read::table, delete::delete))
                .routes(routes!(delete::restore))
                .routes(routes!(read::view))
                .routes(routes!(read::lines_from))
                .routes(routes!(read::answers))
                .routes(routes!(read::preview))
                .routes(routes!(read::odds))
                .routes(routes!(read::story))
                .routes(routes!(read::changes))
                .routes(routes!(read::log))
                .routes(routes!(act::answer))
                .routes(routes!(act::throw))
                .routes(routes!(act::note))
                .routes(routes!(act::stand))
                .routes(routes!(act::take_back))
                .routes(routes!(act::leave))
                .routes(routes!(act::pause))
                .routes(routes!(act::resume))
                .routes(routes!(act::fiats, act::fiat))
                .routes(routes!(act::rewind))
                .routes(routes!(act::undo))
                .routes(routes!(act::bots))
                .routes(routes!(act::go_on))
                .routes(routes!(act::pace))
                .routes(routes!(people::passes, people::make))
                .routes(routes!(people::revoke))
                .routes(routes!(people::people, people::admit))
                .routes(routes!(people::entrance, people::door))
                .routes(routes!(people::passphrase))
                .routes(routes!(people::what_watchers_may, people::watchers))
                .routes(routes!(people::told, people::webhook)),
        )
        .split_for_parts();
    complete(&mut document);
    (router, document)
}

/// What stands for something in an address, and what that is.
const PARTS: [(&str, &str); 7] = [
    ("table", "The table's id"),
    ("system", "The system's id"),
    ("clause", "The clause's id"),
    ("kind", "What sort of thing it is, as the library or the system's `templates` say"),
    ("id", "What it is asked for by, as the library says"),
    ("ask", "The ask, as the table calls it"),
    ("pass", "The id of the link or token; `this` is the token that asks"),
];

/// What stands for something in this address.
fn in_path(path: &str) -> impl Iterator<Item = RefOr<Parameter>> {
    let parts = PARTS.iter().filter(move |(name, _)| path.contains(&format!("{{{name}}}")));
    parts.map(|(name, what)| {
        let part = ParameterBuilder::new()
            .name(*name)
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .description(Some(*what))
            .schema(Some(ObjectBuilder::new().schema_type(Type::String)));
        RefOr::T(part.build())
    })
}

/// Says of every address what holds for all of them: what its parts stand for, how a
/// token is carried, and that whatever is not done is told as a problem.
fn complete(document: &mut openapi::OpenApi) {
    let scheme = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    let components = document.components.get_or_insert_default();
    components.security_schemes.insert("token".to_owned(), RefOr::T(scheme));
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
    let problem = ResponseBuilder::new()
        .description("It was not done, and nothing has changed")
        .content("application/problem+json", content)
        .build();
    for (path, item) in &mut document.paths.paths {
        let operations = [&mut item.get, &mut item.post, &mut item.delete];
        for operation in operations.into_iter().flatten() {
            operation.parameters.get_or_insert_default().splice(0..0, in_path(path));
            operation.responses.responses.insert("default".to_owned(), RefOr::T(problem.clone()));
        }
    }
}

/// The addresses about the API: those of the API itself are in its document.
pub(crate) const ADDRESSES: [&str; 3] = ["/api", "/api/openapi.json", "/api/{*elsewhere}"];

/// Every address of the API.
pub(crate) fn router() -> Router<Arc<App>> {
    let (router, document) = parts();
    let no_such_method =
        || async { Problem::new(problem::Kind::Method, "the header Allow says what this takes") };
    let text: Arc<str> = document.to_json().unwrap_or_default().into();
    let published = move || async move {
        ([(header::CONTENT_TYPE, "application/json")], text.to_string()).into_response()
    };
    router
        .method_not_allowed_fallback(no_such_method)
        .route(ADDRESSES[1], get(published))
        .route(ADDRESSES[0], get(page))
        .route(ADDRESSES[2], axum::routing::any(|| async { Problem::absent() }))
}

#[cfg(test)]
mod tests {
    #[test]
    fn whatever_stands_for_something_in_an_address_is_in_its_document() {
        let document = serde_json::to_value(super::parts().1).expect("JSON");
        for (path, item) in document["paths"].as_object().expect("paths") {
            let parts = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
            let parts: Vec<&str> = parts.collect();
            for (method, operation) in item.as_object().expect("methods") {
                let all = operation["parameters"].as_array().into_iter().flatten();
                let told: Vec<&str> =
                    all.filter(|it| it["in"] == "path").filter_map(|it| it["name"].as_str()).collect();
                assert!(parts.iter().all(|part| told.contains(part)), "{method} {path}: {told:?}");
                assert_eq!(parts.len(), told.len(), "{method} {path}: {told:?}");
            }
        }
    }
}
