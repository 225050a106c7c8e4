/**
 * A way to a server that can fail as networks do: it goes silent without closing anything, or breaks. For tests of what
 * happens meanwhile, and of how it ends.
 */
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/** A proxy, and what it can do to the connections through it. */
export interface SilentProxy {
  /** The address of the database behind it, by way of this proxy. */
  readonly url: string
  /**
   * From now on nothing gets through in either direction, not even that an end is gone. New connections are accepted,
   * and hear nothing either.
   *
   * @param about silences only connections whose first bytes hold this text: PostgreSQL's clients begin with their
   * `application_name`
   */
  readonly goSilent: (about?: string) => void
  /** From now on everything gets through again, what was held back first. */
  readonly resume: () => void
  /**
   * The connections that are open stay silent for ever, as where a network has forgotten them. New ones are forwarded.
   */
  readonly forget: () => void
  /** Breaks all connections that are open, as a reset does. New ones are forwarded. */
  readonly cut: () => void
  /** Ends it with all its connections. */
  readonly close: () => Promise<void>
}

/**
 * Listens on a port of its own and forwards to a server.
 *
 * @param target where a database is, `postgresql://user@host:port/database`
 */
export const startSilentProxy = async (target: string): Promise<SilentProxy> => {
  const { hostname, port } = new URL(target)
  const links = new Set<Link>()
  let silenced: string | undefined
  const server = createServer({ pauseOnConnect: true }, (client) => {
    const link = new Link(
      client,
      () => connect({ host: hostname, port: Number(port) }),
      (start) => silenced !== undefined && start.includes(silenced)
    )
    links.add(link)
    client.once("close", () => links.delete(link))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = new URL(target)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`

  const setSilenced = (about: string | undefined): void => {
    silenced = about
    for (const link of links) link.update()
  }
  const cut = (): void => {
    for (const link of links) link.cut()
  }
  return {
    url: url.href,
    goSilent: (about = "") => setSilenced(about),
    resume: () => setSilenced(undefined),
    forget: () => {
      for (const link of links) link.forget()
    },
    cut,
    close: async () => {
      const closed = once(server, "close")
      server.close()
      cut()
      await closed
    }
  }
}

/** One connection of a client, and the one to the server that belongs to it. */
class Link {
  private readonly client: Socket
  private readonly connectServer: () => Socket
  private isSilenced: (start: Buffer) => boolean
  private server: Socket | undefined
  /** What the client sent first. */
  private start: Buffer | undefined

  constructor(client: Socket, connectServer: () => Socket, isSilenced: (start: Buffer) => boolean) {
    this.client = client
    this.connectServer = connectServer
    this.isSilenced = isSilenced
    client.on("error", () => {})
    client.once("data", (start) => {
      client.pause()
      this.start = start
      this.update()
    })
    client.resume()
  }

  /** Stops or goes on, as the proxy says now. */
  update(): void {
    if (this.start === undefined) return
    if (this.isSilenced(this.start)) {
      this.client.pause()
      this.server?.pause()
    } else if (this.server === undefined) this.join(this.connectServer(), this.start)
    else {
      this.client.resume()
      this.server.resume()
    }
  }

  forget(): void {
    this.isSilenced = () => true
    this.update()
  }

  cut(): void {
    this.client.resetAndDestroy()
    this.server?.resetAndDestroy()
  }

  private join(server: Socket, start: Buffer): void {
    this.server = server
    server.on("error", () => {})
    server.write(start)
    for (const [from, to] of [
      [this.client, server],
      [server, this.client]
    ] as const) {
      from.on("data", (bytes) => to.write(bytes))
      from.on("end", () => to.end())
      // An end that is gone while nothing gets through is told of later.
      from.on("close", () => {
        if (!this.isSilenced(start)) to.destroy()
      })
    }
    this.client.resume()
  }
}
