/**
 * A pooler in transaction mode: a client has a server connection from a message to the end of its transaction, and then
 * another client may get it, as with PgBouncer's `pool_mode = transaction`. The connection released last is used first.
 */
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { Effect } from "effect"

interface ServerConnection {
  readonly socket: Socket
  client: Socket | undefined
}

/** @param target the address of a database that asks for no password, `postgresql://user@host:port/database` */
const startTransactionPooler = async (target: string) => {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const idle: Array<ServerConnection> = []

  /** A connection to the server, once the messages of its start have arrived. */
  const openConnection = (startup: Buffer) =>
    new Promise<readonly [ServerConnection, greeting: Buffer]>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port) })
      const connection: ServerConnection = { socket, client: undefined }
      let greeting: Buffer | undefined = Buffer.alloc(0)
      sockets.add(socket)
      socket.on("error", reject)
      socket.write(startup)
      socket.on("data", (bytes) => {
        if (greeting !== undefined) {
          greeting = Buffer.concat([greeting, bytes])
          if (!isIdle(greeting)) return
          resolve([connection, greeting])
          greeting = undefined
          return
        }
        const { client } = connection
        client?.write(bytes)
        if (!isIdle(bytes)) return
        connection.client = undefined
        idle.push(connection)
      })
    })

  const server = createServer((client) => {
    let startup: Buffer | undefined
    let using: ServerConnection | undefined
    sockets.add(client)
    client.on("error", () => {})
    const forward = async (bytes: Buffer) => {
      if (using?.client !== client) {
        using = idle.pop() ?? (await openConnection(startup as Buffer))[0]
        using.client = client
      }
      using.socket.write(bytes)
    }
    let queue = Promise.resolve()
    client.on("data", (bytes) => {
      queue = queue.then(async () => {
        // A request for TLS is refused; then the client sends its startup message without.
        if (startup === undefined && bytes.length === 8) client.write("N")
        else if (startup === undefined) {
          startup = bytes
          const [connection, greeting] = await openConnection(bytes)
          idle.push(connection)
          client.write(greeting)
        } else await forward(bytes)
      })
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = new URL(target)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    close: async () => {
      const closed = once(server, "close")
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    }
  }
}

/** Whether bytes from the server end in ReadyForQuery outside of a transaction. */
const isIdle = (bytes: Buffer): boolean => bytes.subarray(-6).equals(Buffer.from([0x5a, 0, 0, 0, 5, 0x49]))

/** A pooler in transaction mode, until the scope closes. */
export const transactionPooler = (target: string) =>
  Effect.acquireRelease(
    Effect.promise(() => startTransactionPooler(target)),
    ({ close }) => Effect.promise(close)
  )
