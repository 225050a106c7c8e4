import { type Directory, type DirectoryContents, Directory as PlainDirectory } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { LiveDirectory, type UnitChange } from "@postcode/core/LiveDirectory"
import type { PartialPostcode, Postcode } from "@postcode/core/Postcode"
import { within } from "@postcode/core/ReverseGeocoder"
import { mergeInWorker, shareDirectory } from "@postcode/node"
import { describe, expect, it, vi } from "vitest"

const postcodeOf = (unit: number): Postcode =>
  `LA-12-A${String(Math.trunc(unit / 100)).padStart(2, "0")}-BG-${String(unit % 100).padStart(2, "0")}` as Postcode
const placeOf = (unit: number) => ({ lat: 6.5 + 0.0001 * (unit % 70), lon: 3.4 + 0.0001 * Math.trunc(unit / 70) })

const directoryOf = (units: number): Directory => {
  const builder = new DirectoryBuilder({ version: "2026-1", date: "2026-01-31" })
  builder.addPlace({ code: "LA" as PartialPostcode, name: "Lagos" })
  for (let unit = 0; unit < units; unit++) builder.addUnit(postcodeOf(unit), placeOf(unit), unit % 5 !== 0)
  const built = builder.build()
  if (!built.ok) throw new Error("a postcode came twice")
  return built.directory
}

const add = (unit: number): UnitChange => ({ change: "add", postcode: postcodeOf(unit), coordinate: placeOf(unit) })
const retire = (unit: number): UnitChange => ({ change: "retire", postcode: postcodeOf(unit) })
const move = (unit: number): UnitChange => ({
  change: "move",
  postcode: postcodeOf(unit),
  coordinate: placeOf(unit + 500)
})

/** A directory of 2,000 units, 300 of which came, went or moved after it was built. */
const changedDirectory = (base = directoryOf(1_900)): Directory => {
  const live = new LiveDirectory(base)
  for (let unit = 0; unit < 100; unit++) {
    expect(live.apply([add(1_900 + unit), retire(7 * unit), move(1 + 11 * unit)]).ok).toBe(true)
  }
  return live.current
}

/** All buffers that a value refers to. */
const buffersOf = (value: unknown): ReadonlyArray<ArrayBufferLike> => {
  if (ArrayBuffer.isView(value)) return [value.buffer]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(buffersOf) : []
}

describe("a merge in a worker thread", () => {
  it("has the same result as a merge in this thread, in shared memory", async () => {
    const directory = changedDirectory()
    const merged = await mergeInWorker(directory)
    expect(merged).toEqual(directory.contents)
    expect(merged.places).toBe(directory.places)
    const buffers = buffersOf(merged)
    expect(buffers.length).toBeGreaterThan(10)
    for (const buffer of buffers) expect(buffer).toBeInstanceOf(SharedArrayBuffer)
  })

  it("accepts a directory in shared memory, and leaves it unchanged", async () => {
    const image = shareDirectory(directoryOf(1_900))
    const before = Buffer.from(new Uint8Array(image)).toString("base64")
    const directory = changedDirectory(PlainDirectory.open(image))
    const merged = await mergeInWorker(directory)
    expect(merged).toEqual(directory.contents)
    expect(Buffer.from(new Uint8Array(image)).toString("base64")).toBe(before)
    const again = await mergeInWorker(new PlainDirectory(merged))
    expect(again).toEqual(merged)
  })

  it("lets a live directory change and answer meanwhile", async () => {
    const onMergeFailed = vi.fn()
    const merges: Array<Promise<DirectoryContents>> = []
    const merge = (of: Directory) => {
      const merged = mergeInWorker(of)
      merges.push(merged)
      return merged
    }
    const live = new LiveDirectory(directoryOf(1_900), { merge, mergeAt: 50, onMergeFailed })
    for (let unit = 1_900; unit < 2_500; unit++) {
      expect(live.apply([add(unit), retire(unit - 1_900)]).ok).toBe(true)
      expect(live.current.status(postcodeOf(unit))).toBe("active")
      if (unit % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await live.settled()
    expect(onMergeFailed).not.toHaveBeenCalled()
    expect(merges.length).toBeGreaterThan(1)
    expect([live.current.size, live.current.activeSize]).toEqual([2_500, 2_500 - 600 - 260])
    const rebuilt = new PlainDirectory(live.current.contents)
    for (let unit = 0; unit < 2_500; unit += 50) {
      const [found, expected] = [live.current, rebuilt].map((directory) =>
        within(directory, placeOf(unit), 100, 50).map(({ distance_m, id }) => [directory.postcodeAt(id), distance_m])
      )
      expect(found).toEqual(expected)
    }
  })

  it("that fails rejects with the error of the thread", async () => {
    const { contents } = directoryOf(100)
    const broken = new PlainDirectory({ ...contents, spatial: undefined as unknown as typeof contents.spatial })
    await expect(mergeInWorker(broken)).rejects.toThrow(TypeError)
  })

  it("ends with the signal, and rejects with its reason", async () => {
    const reason = new Error("the service stops")
    await expect(mergeInWorker(changedDirectory(), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    const controller = new AbortController()
    const merged = mergeInWorker(changedDirectory(), { signal: controller.signal })
    controller.abort(reason)
    await expect(merged).rejects.toBe(reason)
  })
})
