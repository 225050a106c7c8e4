/** A Worker on workerd. */
import { spawn } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { expect } from "vitest"
import type { Place } from "./PackageExamples.ts"
import { workerd } from "./Runtimes.ts"

/**
 * What a Worker responds to one request. It may connect to this machine, and import `./directory.snapshot`, which must be
 * beside the installed packages.
 */
export const answerOfWorker = async ({ installed }: Place, program: string, body = ""): Promise<string> => {
  const folder = join(installed.folder, "worker")
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, "worker.js"), program)
  await writeFile(join(folder, "worker.capnp"), configuration(program.includes("directory.snapshot")))
  const args = ["serve", "worker.capnp", "--socket-addr", "http=127.0.0.1:0", "--control-fd", "3"]
  const worker = spawn(workerd(), args, { cwd: folder, stdio: ["ignore", "ignore", "pipe", "pipe"] })
  const errors: Array<string> = []
  worker.stderr?.setEncoding("utf8").on("data", (text) => errors.push(text))
  try {
    const port = await portOf(worker.stdio[3] as Readable)
    if (port === undefined) throw new Error(`workerd ended before it listened.\n${errors.join("")}`)
    const response = await fetch(`http://127.0.0.1:${port}`, { method: "POST", body })
    const text = await response.text()
    expect(response.status, text + errors.join("")).toBe(200)
    return text
  } finally {
    worker.kill("SIGKILL")
  }
}

/** The port that workerd reports, unless it ends before. */
const portOf = async (reports: Readable): Promise<number | undefined> => {
  for await (const report of reports.iterator({ destroyOnReturn: false })) return JSON.parse(String(report)).port
  return undefined
}

const configuration = (hasSnapshot: boolean): string => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "internet", network = (allow = ["public", "private", "local"]))
  ],
  sockets = [(name = "http", http = (), service = "main")]
);
const main :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    ${hasSnapshot ? '(name = "directory.snapshot", data = embed "../directory.snapshot")' : ""}
  ],
  compatibilityDate = "2026-11-01"
);
`
