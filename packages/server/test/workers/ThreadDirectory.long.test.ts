// The directory of a thread, as messages bring it up to that of the main thread.
import { searchAddress } from "@postcode/core/AddressSearch"
import { Directory } from "@postcode/core/Directory"
import { ChangedAddresses, LiveDirectory, type UnitChange } from "@postcode/core/LiveDirectory"
import type { Postcode } from "@postcode/core/Postcode"
import { demoDirectory } from "@postcode/demo"
import { mergeInWorker, shareDirectory } from "@postcode/node"
import { openedDirectory } from "@postcode/postgres"
import { describe, expect, it } from "vitest"
import { randomBelow } from "../../../../test/RandomNumbers.ts"
import { SharedEdition } from "../../src/workers/SharedEdition.ts"
import { ThreadDirectory } from "../../src/workers/ThreadDirectory.ts"

const units = 5_000

/** The main thread's directory, and threads that have it by messages. */
const start = (mergeAt?: number) => {
  const shared = new SharedEdition()
  const directory = Directory.open(shareDirectory(demoDirectory({ units, addresses: true }).directory))
  const merge = (of: Directory) => mergeInWorker(of)
  const live = new LiveDirectory(directory, mergeAt === undefined ? {} : { merge, mergeAt })
  const addresses = new ChangedAddresses(live)
  const edition = { edition: 3, since: "2026-01-31T00:00:00.000Z", live, addresses, close: () => {} }
  shared.take({ _tag: "Opened", directory: openedDirectory(edition) }, edition)
  live.follow((update) => shared.take(update, edition))
  const thread = async () => {
    const opened = await ThreadDirectory.open(structuredClone(shared.current()))
    let updated = Promise.resolve()
    shared.follow((update) => {
      updated = opened.take(structuredClone(update))
    })
    return { opened, settled: () => updated }
  }
  return { live, addresses, thread }
}

const changer = (directory: Directory) => {
  const below = randomBelow(7)
  let added = 0
  return (count: number) =>
    Array.from({ length: count }, (): UnitChange => {
      const postcode = directory.postcodeAt(below(directory.size))
      const { lat, lon } = directory.coordinateAt(directory.find(postcode))
      const coordinate = { lat: lat + 0.001, lon }
      switch (below(4)) {
        case 0:
          return { change: "retire", postcode }
        case 1:
          return { change: "reactivate", postcode }
        case 2:
          return { change: "move", postcode, coordinate }
        default: {
          const number = added++
          const unit = `ZA-01-${String(Math.floor(number / 100)).padStart(3, "0")}-AA-${String(number % 100).padStart(2, "0")}`
          return { change: "add", postcode: unit as Postcode, coordinate }
        }
      }
    })
}

describe("the directory of a thread", () => {
  it("equals that of the main thread after each update, whenever the thread started", async () => {
    const { live, thread } = start(400)
    const changes = changer(live.current)
    const threads = [await thread()]
    let merges = 0
    live.follow(({ _tag }) => {
      if (_tag === "Merged") merges++
    })
    for (let round = 0; round < 12; round++) {
      expect(live.apply(changes(round % 3 === 0 ? 1_000 : 50)).ok).toBe(true)
      if (round % 5 === 2) threads.push(await thread())
      if (round % 4 === 3) await live.settled()
      for (const { opened, settled } of threads) {
        await settled()
        expect(opened.current.changes).toBe(live.current.changes)
        expect(opened.current.contents).toEqual(live.current.contents)
      }
    }
    const names = new Map(threads.map(({ opened }) => [opened, opened.current.names]))
    expect(live.apply(changes(1_000)).ok).toBe(true)
    await live.settled()
    expect(merges).toBeGreaterThan(2)
    for (const { opened, settled } of threads) {
      await settled()
      expect(opened.current.contents).toEqual(live.current.contents)
      // What is derived from names is kept, and the memory is the same.
      expect(opened.current.names).toBe(names.get(opened))
      const [own, others] = [live, opened].map(({ current }) => current.layers[0].spatial.units)
      if (own !== undefined) own[0] = ~(own[0] as number)
      expect(others?.[0]).toBe(own?.[0])
    }
  })

  it("shows a batch as a whole", async () => {
    const { live, thread } = start()
    const { opened, settled } = await thread()
    const before = opened.current
    expect(live.apply(changer(live.current)(3_000)).ok).toBe(true)
    let turns = 0
    for (; opened.current === before; turns++) await new Promise((resolve) => setImmediate(resolve))
    expect(turns).toBeGreaterThan(3)
    expect([before.changes, opened.current.changes]).toEqual([0, live.current.changes])
    await settled()
    expect(opened.current.contents).toEqual(live.current.contents)
  })

  it("finds the same changed addresses", async () => {
    const { addresses, live, thread } = start()
    const [first, postcode] = [await thread(), live.current.postcodeAt(17)]
    live.apply([{ change: "reactivate", postcode }])
    addresses.take(postcode, "Ikeja", "7 Zungeru Crescent, Ikeja")
    await addresses.refresh()
    const second = await thread()
    for (const { opened, settled } of [first, second]) {
      await settled()
      expect(searchAddress(opened.current, "7 Zungeru Crescent").candidates[0]?.code).toBe(postcode)
    }
  })

  it("has the edition, and the time since which its version is current", async () => {
    const { live, thread } = start()
    const { opened } = await thread()
    expect(opened.edition).toBe(3)
    expect(opened.since(live.current.version)).toBe("2026-01-31T00:00:00.000Z")
    expect(opened.since("another one")).toBeUndefined()
  })
})
