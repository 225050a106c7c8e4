/** CRC-32 (ISO 3309, the polynomial of zip and PNG) of an ASCII string, as an unsigned 32-bit number. */
export const crc32 = (ascii: string): number => {
  let crc = -1
  for (let i = 0; i < ascii.length; i++) crc = (table[(crc ^ ascii.charCodeAt(i)) & 0xff] as number) ^ (crc >>> 8)
  return (crc ^ -1) >>> 0
}

const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})
