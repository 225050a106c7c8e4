// What the page knows of the service that it came from.

/** @typedef {import("../PageSettings.ts").PageSettings} PageSettings */

/** @type {PageSettings} */
export const settings = await (await fetch("/demo/settings.json")).json()

/** Where the gateway is: where the page is. */
export const gateway = location.origin

/** Where the widget's endpoints are. */
export const platform =
  settings.platform_port === null ? gateway : `${location.protocol}//${location.hostname}:${settings.platform_port}`
