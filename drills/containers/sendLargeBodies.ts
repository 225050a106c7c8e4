/** Clients without a key that send large bodies slowly, and what nginx holds of them. */
import { connect, type Socket } from "node:net"
import { setTimeout } from "node:timers/promises"
import type { ComposeProject } from "./ComposeProject.ts"

/** What 60 connections did. */
export interface LargeBodies {
  /** Answered with 413 before the body was read. */
  readonly tooLarge: number
  /** Answered with 429. */
  readonly limited: number
  /** Bytes of bodies in nginx's `/tmp`, when all that it takes was sent. */
  readonly held: number
}

/** The bodies stay one byte short of whole, so that nginx keeps what it has accepted. */
export const sendLargeBodies = async (
  project: ComposeProject,
  port: number,
  path: string,
  length: number
): Promise<LargeBodies> => {
  const before = await usedBytes(project)
  const sockets: Array<Socket> = []
  try {
    const answers = await Promise.all(Array.from({ length: 60 }, () => send(port, path, length, sockets)))
    const count = (status: number) => answers.filter((answer) => answer.startsWith(`HTTP/1.1 ${status} `)).length
    return { tooLarge: count(413), limited: count(429), held: Math.max(0, (await usedBytes(project)) - before) }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

/** The answer if there is one; empty if there is none a while after all was sent. */
const send = (port: number, path: string, length: number, sockets: Array<Socket>): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    sockets.push(socket)
    socket.setEncoding("latin1")
    socket.once("data", (answer: string) => resolve(answer))
    socket.on("error", () => resolve(""))
    socket.on("close", () => resolve(""))
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`)
    socket.write(Buffer.alloc(length - 1), () => void setTimeout(wait_ms).then(() => resolve("")))
  })

const wait_ms = 3_000

/** Files that are open but deleted count, too. */
const usedBytes = async (project: ComposeProject): Promise<number> => {
  const [, line = ""] = (await project.exec("nginx", "df", "-kP", "/tmp")).split("\n")
  return 1_024 * Number(line.split(/\s+/)[2])
}
