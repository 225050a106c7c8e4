/** nginx with deploy/nginx.conf, except for the addresses, before two replicas on this machine. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { delimiter, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { isExecutable } from "../setUp/isExecutable.ts"
import { asReachable, type Balancer } from "./Balancer.ts"

/** The path of nginx; undefined if it is not installed. */
export const findNginx = (): string | undefined =>
  [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin"]
    .map((folder) => join(folder, "nginx"))
    .find(isExecutable)

export const startNginx = async (
  program: string,
  folder: string,
  port: number,
  replicas: readonly [number, number]
): Promise<Balancer> => {
  const out = join(folder, "out")
  await mkdir(out, { recursive: true })
  const configuration = join(folder, "nginx.conf")
  const deployed = await readFile(new URL("../../deploy/nginx.conf", import.meta.url), "utf8")
  await writeFile(join(folder, "proxies.conf"), "")
  await writeFile(configuration, here(deployed, folder, port, replicas))
  const child = spawn(program, ["-p", folder, "-c", configuration, "-e", "stderr", "-g", "daemon off;"], {
    stdio: ["ignore", 2, "ignore"]
  })
  const ended = once(child, "exit")
  await asReachable(port, () => setTimeout(50))
  // As in replace.sh.
  const mark = (replica: number): string => join(out, `gateway-${replica + 1}`)
  return {
    port,
    takeOut: async (replica) => {
      await writeFile(mark(replica), "")
      await setTimeout(2_000)
    },
    putBack: (replica) => rm(mark(replica)),
    stop: async () => {
      child.kill("SIGTERM")
      await ended
    }
  }
}

const here = (deployed: string, folder: string, port: number, [first, second]: readonly [number, number]): string => {
  const replaced = deployed
    .replaceAll("10.97.31.11:3000", `127.0.0.1:${first}`)
    .replaceAll("10.97.31.12:3000", `127.0.0.1:${second}`)
    .replaceAll("/etc/nginx/out", join(folder, "out"))
    .replace("/tmp/proxies.conf", join(folder, "proxies.conf"))
    .replace("/tmp/nginx.pid", join(folder, "nginx.pid"))
    .replace("listen 8080 reuseport", `listen 127.0.0.1:${port}`)
  return replaced.replace(/^ {2}(\w+)_temp_path .*$/gm, (_, of) => `  ${of}_temp_path ${join(folder, of)};`)
}
