/** What web pages may load of the packages, minified and gzipped, in bytes. Documents that name a size mean these. */
export const sizeLimits_bytes = {
  /** Of core. */
  isValid: 683,
  postcodes: 2_048,
  searches: 24_576,
  core: 65_536,
  client: 5_120,
  /** What the widget begins with, and the largest file of it that is loaded on demand. */
  picker: 8_192,
  pickerOnDemand: 1_024,
  /** All files of the console. */
  console: 71_680
} as const
