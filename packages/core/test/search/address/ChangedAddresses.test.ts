// Address search over a directory whose addresses have changed since its edition.
import { searchAddress } from "@postcode/core/AddressSearch"
import { Directory } from "@postcode/core/Directory"
import {
  ChangedAddresses,
  indexChangedAddresses,
  LiveDirectory,
  mergeTaskOf,
  runMergeTask
} from "@postcode/core/LiveDirectory"
import type { Postcode } from "@postcode/core/Postcode"
import { describe, expect, it, vi } from "vitest"
import { fixtureDirectory } from "./AddressFixture.ts"

const allen12 = "LA-11-B03-PD-02" as Postcode
const fabian = "EK-01-A01-AA-00" as Postcode
const added = "LA-11-B03-PD-50" as Postcode
const coordinate = { lat: 6.6, lon: 3.35 }

const start = (merge?: (directory: Directory) => Promise<ReturnType<typeof runMergeTask>>) => {
  const live = new LiveDirectory(fixtureDirectory(), merge === undefined ? {} : { merge, mergeAt: 1 })
  return { live, addresses: new ChangedAddresses(live) }
}

const find = (live: LiveDirectory, text: string) => searchAddress(live.current, text).code

const codesOf = (live: LiveDirectory, text: string) =>
  searchAddress(live.current, text, { limit: 20 }).candidates.map(({ code }) => code)

describe("address search over changes", () => {
  it("finds a unit under its new address, and no longer under the old one", async () => {
    const { addresses, live } = start()
    addresses.take(allen12, "Ikeja", "7 Zungeru Crescent, Ikeja")
    expect(await addresses.refresh()).toBe(true)
    expect(find(live, "7 zungeru crescent ikeja")).toBe(allen12)
    expect(codesOf(live, "12 allen avenue ikeja")).not.toContain(allen12)
    expect(find(live, "10 allen avenue ikeja")).toBe("LA-11-B03-PD-01")
    // Of the same name elsewhere.
    expect(find(live, "12 Allen Avenue Surulere Lagos")).toBe("LA-20-A01-AA-01")
  })

  it("finds an added unit once it exists, beside the others of its street, by words with an error, too", async () => {
    const { addresses, live } = start()
    addresses.take(added, "Ikeja", "88 Allen Avenue, Ikeja")
    await addresses.refresh()
    expect(find(live, "88 allen avenue ikeja")).not.toBe(added)
    live.apply([{ change: "add", postcode: added, coordinate }])
    expect(find(live, "88 allen avenue ikeja")).toBe(added)
    expect(find(live, "88 alen avenue, ikeja")).toBe(added)
    expect(searchAddress(live.current, "88 allen avenue ikeja").label).toBe("88 Allen Avenue, Ikeja, Lagos")
    expect(find(live, "14a allen avenue ikeja")).toBe("LA-11-B03-PD-04")
    live.apply([{ change: "retire", postcode: added }])
    expect(codesOf(live, "88 allen avenue ikeja")).not.toContain(added)
  })

  it("finds a place whose words no other place has", async () => {
    const { addresses, live } = start()
    addresses.take(fabian, "Oke Ila", "Zikora Guest House, Oke Ila, Ado Ekiti")
    await addresses.refresh()
    expect(find(live, "zikora guest house, oke ila")).toBe(fabian)
    expect(find(live, "zikorra guest house, ado ekiti")).toBe(fabian)
    expect(codesOf(live, "fabian hotel, ajilosun, ado ekiti")).not.toContain(fabian)
  })

  it("spreads a street without a number over all its units, wherever they are indexed", async () => {
    const { addresses, live } = start()
    const far = "LA-11-Z99-ZZ-01" as Postcode
    live.apply([{ change: "add", postcode: far, coordinate }])
    addresses.take(far, "Ikeja", "90 Allen Avenue, Ikeja")
    await addresses.refresh()
    const { candidates } = searchAddress(live.current, "allen avenue ikeja", { limit: 20 })
    const probabilities = new Map(candidates.map(({ code, probability }) => [code, probability]))
    expect(probabilities.size).toBeGreaterThanOrEqual(7)
    expect(probabilities.get(far)).toBeCloseTo(probabilities.get(allen12) ?? 0, 2)
  })

  it("finds a unit whose address was removed under none", async () => {
    const { addresses, live } = start()
    addresses.take(fabian, "", "")
    await addresses.refresh()
    expect(codesOf(live, "fabian hotel, ajilosun, ado ekiti")).not.toContain(fabian)
  })

  it("finds changed addresses after a merge, and after further changes of the same units", async () => {
    const { addresses, live } = start(async (of) => runMergeTask(mergeTaskOf(of)))
    live.apply([{ change: "add", postcode: added, coordinate }])
    addresses.take(added, "Ikeja", "88 Allen Avenue, Ikeja")
    addresses.take(allen12, "Ikeja", "7 Zungeru Crescent, Ikeja")
    await addresses.refresh()
    await live.settled()
    expect(live.current.layers.length).toBe(1)
    expect([find(live, "88 allen avenue ikeja"), find(live, "7 zungeru crescent ikeja")]).toEqual([added, allen12])
    addresses.take(added, "Ikeja", "90 Allen Avenue, Ikeja")
    await addresses.refresh()
    expect(find(live, "90 allen avenue ikeja")).toBe(added)
    expect(codesOf(live, "88 allen avenue ikeja")).not.toContain(added)
  })

  it("shows callers that may see only LGAs the same result as before the changes", async () => {
    const { addresses, live } = start()
    addresses.take(allen12, "Ikeja", "7 Zungeru Crescent, Ikeja")
    await addresses.refresh()
    const options = { finest: "lga" } as const
    for (const text of ["7 zungeru crescent ikeja", "12 allen avenue ikeja"]) {
      expect(searchAddress(live.current, text, options)).toEqual(searchAddress(fixtureDirectory(), text, options))
    }
  })
})

describe("the index of changed addresses", () => {
  it("is made only if there is something new, and again after a failure", async () => {
    const index = vi.fn(async (task: Parameters<typeof indexChangedAddresses>[0]) => indexChangedAddresses(task))
    const live = new LiveDirectory(fixtureDirectory())
    const addresses = new ChangedAddresses(live, index)
    expect(await addresses.refresh()).toBe(false)
    addresses.take(allen12, "Ikeja", "7 Zungeru Crescent, Ikeja")
    index.mockRejectedValueOnce(new Error("out of memory"))
    await expect(addresses.refresh()).rejects.toThrow("out of memory")
    expect(await addresses.refresh()).toBe(true)
    addresses.take(allen12, "Ikeja", "7 Zungeru Crescent, Ikeja")
    expect(await addresses.refresh()).toBe(false)
    expect(index).toHaveBeenCalledTimes(2)
  })

  it("does not fail if it is aborted because its edition was replaced", async () => {
    const addresses = new ChangedAddresses(new LiveDirectory(fixtureDirectory()), async () => {
      addresses.close()
      throw new Error("aborted")
    })
    addresses.take(allen12, "Ikeja", "7 Zungeru Crescent, Ikeja")
    expect(await addresses.refresh()).toBe(false)
  })

  it("is not made for a directory without addresses", async () => {
    const { contents } = fixtureDirectory()
    const live = new LiveDirectory(new Directory({ ...contents, addresses: undefined }))
    const addresses = new ChangedAddresses(live)
    addresses.take(allen12, "Ikeja", "7 Zungeru Crescent, Ikeja")
    expect(await addresses.refresh()).toBe(false)
  })
})
