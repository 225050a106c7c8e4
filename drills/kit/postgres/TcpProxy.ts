/**
 * A TCP proxy that simulates network failures: connections go silent without being closed, are reset, or lose the answer
 * to a message that the server has handled.
 */
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

export type Loss = "breaks" | "stays silent"

export interface TcpProxy {
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
  /**
   * Loses answers to messages that contain this text: the server handles the message, and then the connection breaks, or
   * stays open and silent.
   *
   * @param times by default 1
   */
  readonly lose: (text: string, how: Loss, times?: number) => void
  /** The number of lost answers. */
  readonly lost: () => number
  /** Closes the proxy and all its connections. */
  readonly close: () => Promise<void>
}

/**
 * Listens on a free port and forwards to a server.
 *
 * @param target the address of a database, `postgresql://user@host:port/database`
 */
export const startTcpProxy = async (target: string): Promise<TcpProxy> => {
  const { hostname, port } = new URL(target)
  const links = new Set<Link>()
  let silenced: string | undefined
  let toLose: { readonly text: string; readonly how: Loss; times: number } | undefined
  let lost = 0
  const lossOf = (message: Buffer): Loss | undefined => {
    if (toLose === undefined || toLose.times === 0 || !message.includes(toLose.text)) return undefined
    toLose.times--
    return toLose.how
  }
  const server = createServer({ pauseOnConnect: true }, (client) => {
    const link = new Link(client, {
      connectServer: () => connect({ host: hostname, port: Number(port) }),
      isSilenced: (start) => silenced !== undefined && start.includes(silenced),
      lossOf,
      onLost: () => lost++
    })
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
    lose: (text, how, times = 1) => {
      toLose = { text, how, times }
    },
    lost: () => lost,
    close: async () => {
      const closed = once(server, "close")
      server.close()
      cut()
      await closed
    }
  }
}

/** What the proxy decides for its connections. */
interface Rules {
  readonly connectServer: () => Socket
  /** @param start the first bytes from the client */
  readonly isSilenced: (start: Buffer) => boolean
  /** How the answer to a message is lost; undefined if it is not. */
  readonly lossOf: (message: Buffer) => Loss | undefined
  readonly onLost: () => void
}

/** A client's connection and its connection to the server. */
class Link {
  private readonly client: Socket
  private rules: Rules
  private server: Socket | undefined
  /** The first bytes from the client. */
  private start: Buffer | undefined

  constructor(client: Socket, rules: Rules) {
    this.client = client
    this.rules = rules
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
    if (this.rules.isSilenced(this.start)) {
      this.client.pause()
      this.server?.pause()
    } else if (this.server === undefined) this.join(this.rules.connectServer(), this.start)
    else {
      this.client.resume()
      this.server.resume()
    }
  }

  forget(): void {
    this.rules = { ...this.rules, isSilenced: () => true }
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
    let loss: Loss | undefined
    this.client.on("data", (bytes) => {
      loss = this.rules.lossOf(bytes) ?? loss
      server.write(bytes)
    })
    server.on("data", (bytes) => {
      if (loss === undefined) this.client.write(bytes)
      else {
        this.rules.onLost()
        if (loss === "breaks") this.client.destroy()
      }
    })
    for (const [from, to] of [
      [this.client, server],
      [server, this.client]
    ] as const) {
      from.on("end", () => to.end())
      // While silenced, the close is not forwarded.
      from.on("close", () => {
        if (!this.rules.isSilenced(start)) to.destroy()
      })
    }
    this.client.resume()
  }
}
