//! The end of the server.

use tokio::sync::watch;

/// Completes when the server ends.
pub async fn ends(ending: &mut watch::Receiver<bool>) {
    let _ = ending.wait_for(|end| *end).await;
}
