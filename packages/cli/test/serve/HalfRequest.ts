/** Requests that are in flight for as long as a test wants. */
import { connect, type Socket } from "node:net"

/** Sends a request but for its body; `finish` sends that, too, and waits for the answer. */
export const halfSent = async (url: string) => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(
    [
      "POST /v1/assembly/assemble HTTP/1.1",
      `Host: ${hostname}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      "Expect: 100-continue",
      "",
      ""
    ].join("\r\n")
  )
  // The service has the request in hand once it asks for the body.
  await received(socket, "100 Continue")
  return {
    socket,
    finish: async () => {
      socket.write(body)
      await received(socket, '"postcode":"LA-12-A03-BG-07"')
    }
  }
}

const body = JSON.stringify({ state: "la", lga: "12", district: "a03", area: "bg", unit: "07" })

/** Waits until a connection has brought a text. */
const received = (socket: Socket, wanted: string): Promise<void> =>
  new Promise((resolve, reject) => {
    let all = ""
    const onData = (chunk: Buffer) => {
      all += chunk.toString("utf8")
      if (!all.includes(wanted)) return
      socket.off("data", onData)
      resolve()
    }
    socket.on("data", onData)
    socket.once("error", reject)
    socket.once("close", () => reject(new Error(`the connection ended after:\n${all}`)))
  })
