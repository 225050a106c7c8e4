/** The other ways to search addresses by text, each with the units' complete addresses as its documents. */

export interface Peer {
  readonly name: string
  /** The number of the likeliest row, or undefined if nothing is found. */
  readonly first: (text: string) => Promise<number | undefined> | number | undefined
  /** CPU time of the process that searches, in nanoseconds since any moment. */
  readonly cpuTime_ns: () => number
}

/** CPU time of this process in nanoseconds. */
export const ownCpuTime_ns = (): number => {
  const { system, user } = process.cpuUsage()
  return 1000 * (system + user)
}
