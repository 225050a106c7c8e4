using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "search", worker = .search)],
  sockets = [(name = "http", address = "127.0.0.1:8080", http = (), service = "search")]
);

const search :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "dist/worker.js"),
    (name = "directory.snapshot", data = embed "dist/directory.snapshot")
  ],
  compatibilityDate = "2026-11-01"
);
