/**
 * A TCP proxy that simulates network failures: connections go silent without being closed, or are reset.
 */
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

export interface SilentProxy {
  /** The address of the database through this proxy. */
  readonly url: string
  /**
   * Stops forwarding in both directions, including the close of a connection. New connections are accepted, but silent.
   *
   * @param about silences only connections whose first bytes hold this text: PostgreSQL's clients begin with their
   * `application_name`
   */
  readonly goSilent: (about?: string) => void
  /** Resumes forwarding, first of the data that was held back. */
  readonly resume: () => void
  /**
   * Silences the open connections forever, as if the network had forgotten them. New ones are forwarded.
   */
  readonly forget: () => void
  /** Resets all open connections. New ones are forwarded. */
  readonly cut: () => void
  /** Closes the proxy and all its connections. */
  readonly close: () => Promise<void>
}

/**
 * Listens on a free port and forwards to a server.
 *
 * @param target the address of a database, `postgresql://user@host:port/database`
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

/** A client's connection and its connection to the server. */
class Link {
  private readonly client: Socket
  private readonly connectServer: () => Socket
  private isSilenced: (start: Buffer) => boolean
  private server: Socket | undefined
  /** The first bytes from the client. */
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

  /** Pauses or resumes, by the current state of the proxy. */
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
      // While silenced, the close is not forwarded.
      from.on("close", () => {
        if (!this.isSilenced(start)) to.destroy()
      })
    }
    this.client.resume()
  }
}
