/** HAProxy before the replicas, from `deploy/haproxy.cfg`, on a free port of this machine. It ends with this process. */
import { execFile, spawn } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { atEndOfProcess, freePort } from "../kit/postgres/index.ts"
import { until } from "../kit/until.ts"

const config = new URL("../../deploy/haproxy.cfg", import.meta.url)

/** Waits until it answers, and returns its port. */
export const startBalancer = async (folder: string, ports: ReadonlyArray<number>): Promise<number> => {
  const port = await freePort()
  const file = join(folder, "haproxy-http.cfg")
  const text = (await readFile(config, "utf8"))
    .replace("bind :3000", `bind 127.0.0.1:${port}`)
    .replace(/127\.0\.0\.1:310([123])/g, (_, number) => `127.0.0.1:${ports[Number(number) - 1]}`)
  await writeFile(file, text)
  await promisify(execFile)("haproxy", ["-c", "-f", file])
  const child = spawn("haproxy", ["-db", "-q", "-f", file], { stdio: "ignore" })
  child.once("close", atEndOfProcess('kill -9 "$1"', `${child.pid}`))
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/v1/health/ready`)
      .then(({ ok }) => ok)
      .catch(() => false)
  await until("an answer of HAProxy", isReady)
  return port
}
