/** Size limits of the packages in web pages, minified and gzipped, in bytes. The documents quote these. */
export const sizeLimits_bytes = {
  /** Of core. */
  isValid: 683,
  postcodes: 2_048,
  searches: 32_768,
  core: 129_024,
  client: 5_120,
  /** The widget's entry, and its largest lazy chunk. */
  picker: 8_192,
  pickerOnDemand: 6_144,
  /** Its map of the user's surroundings. */
  pickerMap: 7_168,
  /** Its script that loads nothing more. */
  pickerScript: 25_600,
  /** The console up to its first screen: each other screen loads when it is opened. */
  console: 71_680
} as const
