/** A server on a free port of this machine. */
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"

export interface Listening {
  /** `http://127.0.0.1:41234` */
  readonly url: string
  /** Waits for nobody. */
  readonly close: () => Promise<void>
}

export const listen = async (listener: RequestListener): Promise<Listening> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
