/** The picker's messages. `{…}` is a placeholder for a number or a code. */
export const english = {
  postcode: "Postcode",
  identify: "NIN or email",
  identifyHint: "Finds the postcodes you have saved. Or skip, and search.",
  continue: "Continue",
  skip: "Skip",
  saved: "Saved postcodes",
  locate: "Use my location",
  hint: "Type an address, a place or a postcode.",
  suggestions: "Suggestions",
  results: "Suggestions: {n}",
  none: "Nothing found. Add the local government area, or type the whole postcode.",
  unknown: "This postcode is not in the directory. Please check it.",
  meant: "Did you mean this?",
  unsure: "{place} (perhaps)",
  next: "{code}: now choose the next part.",
  chosen: "Selected: {code}",
  noBookmarks: "No saved postcodes. Please search.",
  badIdentifier: "Please give an 11-digit NIN or an email address.",
  away: "Saved postcodes are not available now. Please search or type the postcode.",
  busy: "Suggestions are not available now. Please type the whole postcode.",
  offline: "No connection. Please type the whole postcode; it is checked here.",
  locating: "Finding where you are …",
  denied: "Your location is not available. Please search instead.",
  coarse: "Your location is known only to {n} m, too roughly for a postcode. Please search instead.",
  notNear: "No postcode within {n} m of you. Please search instead.",
  near: "{code} is {n} m away. Choose it if it is yours.",
  distance: "{n} m away",
  required: "Please choose a postcode.",
  incomplete: "The postcode is not complete."
}

/** The messages by name; `{…}` is a placeholder. */
export type Messages = Readonly<Record<keyof typeof english, string>>

/** Fills a message's placeholders. */
export const fill = (message: string, values: Readonly<Record<string, string | number>>): string =>
  message.replace(/\{(\w+)\}/g, (blank, name) => String(values[name] ?? blank))
