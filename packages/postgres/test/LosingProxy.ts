/** A proxy that loses answers: the server does the work, but the client gets no answer. */
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { Effect } from "effect"

export interface LosingProxy {
  /** The address of the database through this proxy. */
  readonly url: string
  /**
   * Loses this number of answers to messages that contain this text: the connection breaks instead, or stays open and
   * silent.
   */
  readonly lose: (text: string, how: "breaks" | "stays silent", times?: number) => void
  /** The number of lost answers. */
  readonly lost: () => number
  /** Breaks all open connections. */
  readonly cut: () => void
  readonly close: () => Promise<void>
}

/** @param target the address of a database, `postgresql://user@host:port/database` */
export const startLosingProxy = async (target: string): Promise<LosingProxy> => {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let toLose: { readonly text: string; readonly how: string; times: number } | undefined
  let lost = 0
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port) })
    let losing: string | undefined
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on("error", () => {})
      socket.once("close", () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.on("data", (bytes) => {
      if (toLose !== undefined && toLose.times > 0 && bytes.includes(toLose.text)) {
        toLose.times--
        losing = toLose.how
      }
      upstream.write(bytes)
    })
    upstream.on("data", (bytes) => {
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

/** A losing proxy, until the scope closes. */
export const losingProxy = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(() => startLosingProxy(url)),
    ({ close }) => Effect.promise(close)
  )
