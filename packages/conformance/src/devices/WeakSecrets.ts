/** Invalid secrets, by the reason. */
export const weakSecrets: Readonly<Record<string, string>> = {
  empty: "",
  "of 31 characters": "q7Vd2MfZ0bXk9RtLw4HnYc3JpAs8GuE",
  "of 513 characters": "q7Vd2MfZ0bXk9RtLw4HnYc3JpAs8GuEe!".repeat(16).slice(0, 513),
  "of one character": "a".repeat(64),
  "of two characters in no order": "abbabaabbaababbabaababbaabbabaabbaaba",
  "of seven digits in no order": "31415263536264315126351423645167213",
  "a text three times": "abc".repeat(11),
  "a text that begins again": `${"abcdefghijk".repeat(3)}abcd`,
  "sixteen digits twice": "0123456789abcdef0123456789abcdef",
  "a good secret twice": "q7Vd2MfZ0bXk9RtLw4HnYc3JpAs8GuEe".repeat(2),
  "with a space": "q7Vd2MfZ0bXk9RtLw4Hn Yc3JpAs8GuEe",
  "with a letter beyond ASCII": "q7Vd2MfZ0bXk9RtLw4Hn\u00fcYc3JpAs8GuEe",
  "with a line break": "q7Vd2MfZ0bXk9RtLw4HnYc3JpAs8GuEe\n"
}
