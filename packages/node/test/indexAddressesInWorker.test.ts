import { searchAddress } from "@postcode/core/AddressSearch"
import type { DirectoryContents } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { ChangedAddresses, indexChangedAddresses, LiveDirectory } from "@postcode/core/LiveDirectory"
import type { PartialPostcode, Postcode } from "@postcode/core/Postcode"
import { indexAddressesInWorker } from "@postcode/node"
import { describe, expect, it } from "vitest"

const postcodeOf = (unit: number) => `LA-12-A03-BG-${String(unit).padStart(2, "0")}` as Postcode

const start = (index?: typeof indexAddressesInWorker) => {
  const builder = new DirectoryBuilder({ addresses: true })
  builder.addPlace({ code: "LA" as PartialPostcode, name: "Lagos" })
  for (let unit = 0; unit < 50; unit++) {
    const address = { locality_name: "Ikeja", recent_address: `${unit + 1} Allen Avenue, Ikeja` }
    builder.addUnit(postcodeOf(unit), { lat: 6.6, lon: 3.35 }, true, address)
  }
  const built = builder.build()
  if (!built.ok) throw new Error("a postcode came twice")
  const live = new LiveDirectory(built.directory)
  return { live, addresses: new ChangedAddresses(live, index) }
}

describe("the index of changed addresses in a worker thread", () => {
  it("is the same as one built in this thread, in shared memory", async () => {
    const made: Array<DirectoryContents | undefined> = []
    for (const { addresses, live } of [start(), start(indexAddressesInWorker)]) {
      for (let unit = 10; unit < 20; unit++) addresses.take(postcodeOf(unit), "Ojodu", `${unit} Bérger Close, Ojodu`)
      expect(await addresses.refresh()).toBe(true)
      expect(searchAddress(live.current, "12 Berger Close").code).toBe(postcodeOf(12))
      made.push(live.current.changedAddresses?.contents)
    }
    expect(made[1]).toEqual(made[0])
    expect(made[1]?.addresses?.units.buffer).toBeInstanceOf(SharedArrayBuffer)
  })

  it("rejects with the error of the thread, and ends when the signal aborts", async () => {
    const { addresses, live } = start()
    addresses.take(postcodeOf(1), "Ojodu", "1 Berger Close, Ojodu")
    const { addresses: words } = live.current
    if (words === undefined) throw new Error("the directory was built with addresses")
    const codes = [1, 1]
    const task = { words, places: [], codes, localities: ["", ""], addresses: ["", ""] }
    await expect(indexAddressesInWorker(task)).rejects.toThrow("expected each unit once")
    const reason = new Error("the service stops")
    await expect(indexAddressesInWorker(task, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    await expect(async () => indexChangedAddresses(task)).rejects.toThrow("expected each unit once")
  })
})
