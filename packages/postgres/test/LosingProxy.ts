/**
 * A way to a server on which answers can be lost: the server did what it was asked, and whoever asked does not hear of
 * it.
 */
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { Effect } from "effect"

export interface LosingProxy {
  /** The address of the database behind it, by way of this proxy. */
  readonly url: string
  /**
   * Loses the answer to what holds this text, so many times: the connection breaks instead, or stays open and says
   * nothing more.
   */
  readonly lose: (text: string, how: "breaks" | "stays silent", times?: number) => void
  /** How many answers were lost. */
  readonly lost: () => number
  /** Breaks all connections that are open. */
  readonly cut: () => void
  readonly close: () => Promise<void>
}

/** @param target where a database is, `postgresql://user@host:port/database` */
export const startLosingProxy = async (target: string): Promise<LosingProxy> => {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let toLose: { readonly text: string; readonly how: string; times: number } | undefined
  let lost = 0
  const server = createServer((client) => {
    const behind = connect({ host: hostname, port: Number(port) })
    let losing: string | undefined
    for (const socket of [client, behind]) {
      sockets.add(socket)
      socket.on("error", () => {})
      socket.once("close", () => {
        sockets.delete(socket)
        client.destroy()
        behind.destroy()
      })
    }
    client.on("data", (bytes) => {
      if (toLose !== undefined && toLose.times > 0 && bytes.includes(toLose.text)) {
        toLose.times--
        losing = toLose.how
      }
      behind.write(bytes)
    })
    behind.on("data", (bytes) => {
      if (losing === undefined) client.write(bytes)
      else {
        lost++
        if (losing === "breaks") client.destroy()
      }
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = new URL(target)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    lose: (text, how, times = 1) => {
      toLose = { text, how, times }
    },
    lost: () => lost,
    cut,
    close: async () => {
      const closed = once(server, "close")
      server.close()
      cut()
      await closed
    }
  }
}

/** The same for as long as a scope is open. */
export const losingProxy = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(() => startLosingProxy(url)),
    ({ close }) => Effect.promise(close)
  )
