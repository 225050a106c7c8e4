/** Searches of addresses: no retired unit is answered, and what was added or got another address is found. */
import { setTimeout } from "node:timers/promises"
import type { Unit } from "../kit/DemoSample.ts"
import type { Wrong } from "../kit/LedgerRow.ts"
import type { ReplicaClient } from "./ReplicaClient.ts"

interface AddressAnswer {
  readonly candidates: ReadonlyArray<{ readonly code: string; readonly precision: string }>
}

/** A unit with an address, and the address that it had before, if it has another one now. */
export interface Addressed {
  readonly unit: Unit
  readonly before: string | undefined
}

/** Whether an address comes from a change. Others of the edition may have one of the edition, too. */
export const isNew = (address: string): boolean => address.endsWith(" Close")

/**
 * @param isActive whether a postcode is that of an active unit now
 * @param until_ms by `performance.now`: until then, what is new may not be found yet
 */
export const wrongAddresses = async (
  client: ReplicaClient,
  addressed: ReadonlyArray<Addressed>,
  isActive: (postcode: string) => boolean,
  until_ms: number
): Promise<Wrong> => {
  const retired: Array<string> = []
  const missing: Array<string> = []
  const outdated: Array<string> = []
  const find = async (address: string): Promise<ReadonlyArray<string>> => {
    const path = `/v1/search/address?q=${encodeURIComponent(address)}&limit=20`
    const { candidates } = await client.call<AddressAnswer>("GET", path)
    const codes = candidates.filter(({ precision }) => precision === "unit").map(({ code }) => code)
    for (const code of codes) if (!isActive(code)) retired.push(`port ${client.port}: ${address}: ${code}`)
    return codes
  }
  for (const { before, unit } of addressed) {
    const { attributes, postcode } = unit
    const address = attributes.recent_address as string
    let found = await find(address)
    if (unit.active && isNew(address)) {
      for (; !found.includes(postcode) && performance.now() < until_ms; found = await find(address))
        await setTimeout(500)
      if (!found.includes(postcode)) missing.push(`port ${client.port}: ${postcode}: ${address}`)
    }
    if (before !== undefined && isNew(before) && (await find(before)).includes(postcode)) {
      outdated.push(`port ${client.port}: ${postcode}: ${before}, which is ${address} now`)
    }
  }
  return {
    "a retired unit that address search answered": retired,
    "an address that is not found within a minute": missing,
    "a unit that is found by an address that it no longer has": outdated
  }
}
