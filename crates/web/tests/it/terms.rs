//! What a request costs at each route, and which pages may send it.

use fracas_web::{Cost, Senders, route_terms};

#[test]
fn every_route_has_the_limits_it_should() {
    use Cost::{Check, Link, Log, Map, Paper, Phrase, Table};
    let all = route_terms();
    let costly: Vec<(&str, &[Cost])> = all
        .iter()
        .filter(|(_, terms)| !terms.costs.is_empty())
        .map(|(path, terms)| (path.as_str(), terms.costs))
        .collect();
    let expected: [(&str, &[Cost]); 22] = [
        ("/api/v1/systems/{system}/check", &[Check]),
        ("/api/v1/tables", &[Table]),
        ("/api/v1/tables/taken", &[Table, Log]),
        ("/api/v1/tables/{table}/branches", &[Table]),
        ("/api/v1/tables/{table}/next", &[Table]),
        ("/api/v1/tables/{table}/passphrase", &[Phrase]),
        ("/join/{secret}", &[Link]),
        ("/library/{system}", &[Paper]),
        ("/open/{system}/{encounter}", &[Table]),
        ("/papers", &[Paper]),
        ("/papers/import", &[Paper]),
        ("/papers/map", &[Paper, Map]),
        ("/papers/{paper}/copy", &[Paper]),
        ("/papers/{paper}/open", &[Table]),
        ("/papers/{paper}/picture", &[Paper]),
        ("/practice/{system}", &[Table]),
        ("/scene/{system}", &[Table, Paper]),
        ("/t/{table}/{role}/from/{line}", &[Table]),
        ("/t/{table}/{role}/next", &[Table]),
        ("/t/{table}/{role}/next/keep", &[Paper]),
        ("/t/{table}/{role}/passphrase", &[Phrase]),
        ("/take-in", &[Table, Log]),
    ];
    assert_eq!(costly, expected);
    let uncounted: Vec<&str> =
        all.iter().filter(|(_, terms)| terms.uncounted).map(|(path, _)| path.as_str()).collect();
    assert_eq!(uncounted, ["/assets/{*file}", "/healthz"]);
}

#[test]
fn pages_of_other_sites_send_only_what_takes_a_token() {
    for (path, terms) in route_terms() {
        let takes_token = path == "/api/v1/stream" || path.starts_with("/api/v1/tables/{table}");
        assert_eq!(terms.senders == Senders::Everybody, takes_token, "{path}");
    }
}
