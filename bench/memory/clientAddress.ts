/** Client addresses as proxies report them, all different. */

/** The number of consecutive IPv6 addresses in one /64, like the devices of a household. */
const sharing = 8

/** The address of a client by its number, from 0: every other one is IPv4. */
export const clientAddress = (number: number): string => {
  const own = number >>> 1
  return number % 2 === 0 ? v4(own) : v6(Math.floor(own / sharing), own % sharing)
}

/** From 41.0.0.0 on. */
const v4 = (number: number): string => `41.${(number >>> 16) & 0xff}.${(number >>> 8) & 0xff}.${number & 0xff}`

const v6 = (network: number, device: number): string =>
  `2c0f:${(network >>> 16).toString(16)}:${(network & 0xffff).toString(16)}::${(device + 1).toString(16)}`
