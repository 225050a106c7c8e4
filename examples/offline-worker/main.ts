/** Bundles the Worker, puts the snapshot beside it, and runs both with workerd. */
import { spawn } from "node:child_process"
import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { build } from "esbuild"
import workerd from "workerd"

const folder = import.meta.dirname

const start = async (snapshot: string) => {
  await build({
    entryPoints: [join(folder, "worker.ts")],
    outfile: join(folder, "dist", "worker.js"),
    bundle: true,
    format: "esm",
    target: "es2023",
    external: ["*.snapshot"],
    logLevel: "error"
  })
  await copyFile(snapshot, join(folder, "dist", "directory.snapshot"))

  // workerd reports on file descriptor 3 what it listens on.
  const address = `http=127.0.0.1:${process.env.PORT ?? 8080}`
  const program = spawn(workerd.default, ["serve", "worker.capnp", "--socket-addr", address, "--control-fd", "3"], {
    cwd: folder,
    stdio: ["ignore", "inherit", "inherit", "pipe"]
  })
  program.once("exit", (code) => {
    process.exitCode = code ?? 0
  })
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => program.kill("SIGTERM"))
  const control = program.stdio[3] as Readable
  control.setEncoding("utf8").once("data", (report: string) => {
    console.log(`listening on http://127.0.0.1:${JSON.parse(report).port}`)
  })
}

const [snapshot] = process.argv.slice(2)
if (snapshot === undefined) {
  console.error("usage: npm start -- SNAPSHOT")
  process.exitCode = 2
} else await start(snapshot)
