/** Caddy with a file of deploy/caddy, except for the addresses, and with a certificate of its own authority. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFile, writeFile } from "node:fs/promises"
import { request } from "node:https"
import { delimiter, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { freePort } from "@postcode/drills/postgres"
import { root } from "../../../../drills/containers/root.ts"
import { isExecutable } from "../../../../drills/kit/postgres/PostgresServer.ts"

export interface Caddy extends AsyncDisposable {
  /** Sends a request without a body from an address of this machine, over a checked TLS connection. */
  readonly send: (path: string, options?: Sending) => Promise<Answer>
}

export interface Sending {
  readonly method?: string
  readonly from?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number | undefined
  readonly remaining: number
}

/** The path of Caddy; undefined if it is not installed. */
export const findCaddy = (): string | undefined =>
  [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
    .map((folder) => join(folder, "caddy"))
    .find(isExecutable)

export const startCaddy = async (
  program: string,
  folder: string,
  file: string,
  addresses: Readonly<Record<string, string>>
): Promise<Caddy> => {
  const port = await freePort()
  let text = await readFile(join(root, "deploy", "caddy", file), "utf8")
  for (const [deployed, here] of Object.entries(addresses)) {
    if (!text.includes(deployed)) throw new Error(`${file} does not have ${deployed}`)
    text = text.replaceAll(deployed, here)
  }
  const site = text.replace("\npostcodes.example {", `\nhttps://localhost:${port} {\n\ttls internal`)
  const configuration = join(folder, file)
  const options = `admin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\tstorage file_system ${folder}`
  await writeFile(configuration, `{\n\t${options}\n}\n${site}`)
  const child = spawn(program, ["run", "--config", configuration, "--adapter", "caddyfile"], {
    stdio: "ignore",
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  })
  const ended = once(child, "exit")
  const authority = join(folder, "pki", "authorities", "local", "root.crt")
  const send = async (path: string, sending: Sending = {}) =>
    sendTo(port, await readFile(authority, "utf8"), path, sending)
  const caddy = {
    send,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM")
      await ended
    }
  }
  try {
    while (
      !(await send("/v1/health/live").then(
        ({ status }) => status === 200,
        () => false
      ))
    ) {
      if (child.exitCode !== null) throw new Error(`caddy ended with exit code ${child.exitCode}`)
      await setTimeout(50)
    }
  } catch (error) {
    child.kill("SIGKILL")
    throw error
  }
  return caddy
}

const sendTo = (port: number, ca: string, path: string, { from, headers, method = "GET" }: Sending): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", servername: "localhost", port, ca, path, method, agent: false }
    const sent = request({ ...options, headers: { host: "localhost", ...headers }, localAddress: from }, (response) => {
      const remaining = Number(response.headers["x-ratelimit-remaining"])
      response.resume().on("end", () => resolve({ status: response.statusCode, remaining }))
    })
    sent.on("error", reject)
    sent.end()
  })
