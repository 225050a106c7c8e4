/** What slow clients with large bodies make nginx hold, with deploy/nginx.conf. */
import { once } from "node:events"
import { chmod, mkdtemp, readdir, readlink, rm, stat } from "node:fs/promises"
import { createServer } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { freePort } from "@postcode/drills/postgres"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Balancer } from "./Balancer.ts"
import { findNginx, startNginx } from "./nginx.ts"

const program = findNginx()
const isMeasurable = program !== undefined && process.platform === "linux"
const mebibyte = 2 ** 20

// Where nginx is missing, the report has these names as skipped.
describe.skipIf(!isMeasurable)("slow bodies of 60 anonymous connections (needs nginx, on Linux)", () => {
  let folder: string
  let port: number
  let nginx: Balancer
  // In place of the replicas.
  const replicas = [createServer((_, res) => res.end()), createServer((_, res) => res.end())] as const

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "postcode-nginx-"))
    // Started by root, nginx reads bodies as another user.
    await chmod(folder, 0o711)
    for (const replica of replicas) await once(replica.listen(0, "127.0.0.1"), "listening")
    const [first, second] = replicas.map((replica) => (replica.address() as AddressInfo).port)
    port = await freePort()
    nginx = await startNginx(program as string, folder, port, [first as number, second as number])
  })
  afterAll(async () => {
    await nginx.stop()
    for (const replica of replicas) replica.close()
    await rm(folder, { recursive: true, force: true })
  })

  it("of 16 MiB to a path that does not exist are refused, and nothing of them is held", async () => {
    const { answers, held } = await sendSlowly(port, folder, "/v1/nothing", 16 * mebibyte)
    expect(held).toBe(0)
    expect(answers.filter((answer) => answer.includes("413") && answer.includes("payload_too_large"))).toHaveLength(60)
  }, 60_000)

  it("of 100 KiB are held of at most 50 connections of one address", async () => {
    const { answers, held } = await sendSlowly(port, folder, "/v1/nothing", 100 * 1024)
    expect(held).toBeLessThanOrEqual(50 * 100 * 1024)
    expect(answers.filter((answer) => answer.includes("429") && answer.includes("rate_limit_exceeded"))).toHaveLength(
      10
    )
  }, 60_000)

  it("of 4 MiB to the changes of the directory are held of at most 4 connections of one address", async () => {
    const { answers, held } = await sendSlowly(port, folder, "/v1/admin/directory/changes", 4 * mebibyte)
    expect(held).toBeLessThanOrEqual(4 * 4 * mebibyte)
    expect(answers.filter((answer) => answer.includes("429"))).toHaveLength(56)
  }, 60_000)
})

/** Sends all but the last byte of each body, and returns what is held then, and the answers. */
const sendSlowly = async (port: number, folder: string, path: string, length: number) => {
  const sockets: Array<Socket> = []
  try {
    const answers = await Promise.all(Array.from({ length: 60 }, () => send(port, path, length, sockets)))
    return { answers, held: await settledBytes(folder) }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

/** The answer if there is one; empty once all is sent without one. */
const send = (port: number, path: string, length: number, sockets: Array<Socket>): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    sockets.push(socket)
    let answer = ""
    socket.setEncoding("latin1")
    socket.on("data", (text: string) => {
      answer += text
      if (answer.includes("}}")) resolve(answer)
    })
    socket.on("error", () => resolve(answer))
    socket.on("close", () => resolve(answer))
    socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`)
    // A refusal comes before the body is read; a body that is read comes without an answer.
    socket.write(Buffer.alloc(length - 1), () => void setTimeout(2_000).then(() => resolve(answer)))
  })

/** The bytes in files of bodies, once they do not change any more. */
const settledBytes = async (folder: string): Promise<number> => {
  let before = -1
  let now = await bytesIn(folder)
  while (now !== before) {
    await setTimeout(500)
    before = now
    now = await bytesIn(folder)
  }
  return now
}

/** nginx deletes the name of a body's file when it opens it: only the open file is left. */
const bytesIn = async (folder: string): Promise<number> => {
  let sum = 0
  for (const process of await readdir("/proc")) {
    if (!/^\d+$/.test(process)) continue
    const opened = `/proc/${process}/fd`
    for (const file of await readdir(opened).catch(() => [])) {
      const name = await readlink(join(opened, file)).catch(() => "")
      if (name.startsWith(join(folder, "client_body"))) sum += (await stat(join(opened, file))).size
    }
  }
  return sum
}
