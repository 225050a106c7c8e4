/** WebP files from screenshots. The browser that took them encodes them: npm has no encoder without native libraries. */
import type { Page } from "playwright-core"

export interface Frame {
  /** PNG. */
  readonly screenshot: Buffer
  readonly duration_ms: number
}

/** @param page a blank page, which does the work */
export const encodeStill = async (page: Page, screenshot: Buffer): Promise<Buffer> => {
  const [part] = await encodeParts(page, [screenshot])
  if (part === undefined) throw new Error("there is no picture")
  return Buffer.from(part.webp, "base64")
}

/**
 * An animated file that repeats. Each frame holds only the rectangle that changed since the frame before.
 *
 * @param page a blank page, which does the work
 * @param frames all of the same size
 */
export const encodeAnimation = async (page: Page, frames: ReadonlyArray<Frame>): Promise<Buffer> => {
  const parts = await encodeParts(
    page,
    frames.map(({ screenshot }) => screenshot)
  )
  const [first] = parts
  if (first === undefined) throw new Error("there are no frames")
  const animated = 0x02
  const header = Buffer.concat([Buffer.from([animated, 0, 0, 0]), uint24(first.width - 1), uint24(first.height - 1)])
  const repeatForever = Buffer.alloc(6)
  const chunks = parts.map((part, i) => chunk("ANMF", frameOf(part, frames[i]?.duration_ms ?? 0)))
  const body = Buffer.concat([Buffer.from("WEBP"), chunk("VP8X", header), chunk("ANIM", repeatForever), ...chunks])
  return chunk("RIFF", body)
}

/** A rectangle of a frame. */
interface Part {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** A whole file, in base64. */
  readonly webp: string
}

const frameOf = ({ height, webp, width, x, y }: Part, duration_ms: number): Buffer => {
  const overwrite = 0x02
  return Buffer.concat([
    ...[x / 2, y / 2, width - 1, height - 1, duration_ms].map(uint24),
    Buffer.from([overwrite]),
    imageOf(Buffer.from(webp, "base64"))
  ])
}

/** The chunk of a file that has the picture. */
const imageOf = (file: Buffer): Buffer => {
  for (let at = 12; at < file.length; ) {
    const length = 8 + even(file.readUInt32LE(at + 4))
    if (/^VP8[ L]$/.test(file.toString("latin1", at, at + 4))) return file.subarray(at, at + length)
    at += length
  }
  throw new Error("the browser encoded no WebP")
}

const chunk = (name: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(8, name)
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(even(content.length) - content.length)])
}

const even = (length: number): number => length + (length % 2)
const uint24 = (value: number): Buffer => Buffer.from([value & 255, (value >> 8) & 255, (value >> 16) & 255])

/** The first screenshot whole, and of each other one what differs from the one before. */
const encodeParts = (page: Page, screenshots: ReadonlyArray<Buffer>): Promise<ReadonlyArray<Part>> =>
  page.evaluate(
    async (sources) => {
      /** The rectangle with all differences. Frames lie at even coordinates. */
      const changed = (now: ImageData, before: ImageData | undefined) => {
        const [a, b] = [new Uint32Array(now.data.buffer), before && new Uint32Array(before.data.buffer)]
        let [left, top, right, bottom] = [now.width, now.height, 0, 0]
        for (let i = 0; i < a.length; i++) {
          if (b !== undefined && a[i] === b[i]) continue
          const [x, y] = [i % now.width, Math.floor(i / now.width)]
          left = Math.min(left, x)
          right = Math.max(right, x + 1)
          top = Math.min(top, y)
          bottom = Math.max(bottom, y + 1)
        }
        if (right === 0) return { x: 0, y: 0, width: 2, height: 2 }
        const [evenLeft, evenTop] = [left - (left % 2), top - (top % 2)]
        return { x: evenLeft, y: evenTop, width: right - evenLeft, height: bottom - evenTop }
      }
      const drawing = (width: number, height: number) => {
        const canvas = new OffscreenCanvas(width, height)
        const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true })
        if (context === null) throw new Error("there is no canvas")
        return { canvas, context }
      }
      const parts: Array<Part> = []
      let before: ImageData | undefined
      for (const source of sources) {
        const bytes = Uint8Array.from(atob(source), (character) => character.charCodeAt(0))
        const bitmap = await createImageBitmap(new Blob([bytes]))
        const whole = drawing(bitmap.width, bitmap.height)
        whole.context.drawImage(bitmap, 0, 0)
        const now = whole.context.getImageData(0, 0, bitmap.width, bitmap.height)
        const { height, width, x, y } = changed(now, before)
        const { canvas, context } = drawing(width, height)
        context.drawImage(whole.canvas, -x, -y)
        const encoded = new Uint8Array(
          await (await canvas.convertToBlob({ type: "image/webp", quality: 0.82 })).arrayBuffer()
        )
        const webp = btoa(Array.from(encoded, (byte) => String.fromCharCode(byte)).join(""))
        parts.push({ x, y, width, height, webp })
        before = now
      }
      return parts
    },
    screenshots.map((screenshot) => screenshot.toString("base64"))
  )
