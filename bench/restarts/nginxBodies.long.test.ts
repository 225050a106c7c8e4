/** What slow clients with large bodies make nginx hold, with deploy/nginx.conf. */
import { mkdtemp, readdir, rm, stat } from "node:fs/promises"
import { connect, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { freePort } from "@postcode/postgres/testing"
import { describe, expect, it } from "vitest"
import { findNginx, startNginx } from "./nginx.ts"

const program = findNginx()
const mebibyte = 2 ** 20

describe("nginx", () => {
  // Without nginx, the name of the skipped test says what is missing.
  it.skipIf(program === undefined)("holds little of 60 slow anonymous bodies of 16 MiB (needs nginx)", async () => {
    const folder = await mkdtemp(join(tmpdir(), "postcode-nginx-"))
    const port = await freePort()
    const nginx = await startNginx(program as string, folder, port, [await freePort(), await freePort()])
    const sockets: Array<Socket> = []
    try {
      const answers = Array.from({ length: 60 }, () => send(port, "/v1/nothing", sockets))
      await Promise.all(answers)
      expect(await bodiesIn(folder)).toBeLessThan(10 * mebibyte)
      // A path that takes larger bodies limits their number.
      await Promise.all(Array.from({ length: 60 }, () => send(port, "/v1/admin/directory/changes", sockets)))
      expect(await bodiesIn(folder)).toBeLessThan(50 * mebibyte)
    } finally {
      for (const socket of sockets) socket.destroy()
      await nginx.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })
})

/** Sends all but the last byte of a body, until it is sent, refused, or not read any more. */
const send = async (port: number, path: string, sockets: Array<Socket>): Promise<void> => {
  const length = path === "/v1/nothing" ? 16 * mebibyte : 4 * mebibyte
  const socket = connect(port, "127.0.0.1")
  sockets.push(socket)
  const ended = new Promise<void>((resolve) => {
    socket.on("error", () => resolve())
    socket.on("close", () => resolve())
    socket.on("data", () => resolve())
  })
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`)
  const sent = new Promise<void>((resolve) => socket.write(Buffer.alloc(length - 1), () => resolve()))
  await Promise.race([ended, sent, setTimeout(5_000)])
}

const bodiesIn = async (folder: string): Promise<number> => {
  const bodies = join(folder, "client_body")
  const sizes = (await readdir(bodies)).map(async (name) => (await stat(join(bodies, name))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
