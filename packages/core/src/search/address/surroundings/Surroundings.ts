/**
 * What people write around an address: parts of a building, people, ways to reach them, boxes, codes of other systems,
 * labels, the country, requests. Matching ignores all of these, because they do not identify a house.
 *
 * A table of forms, applied in order. Each has an example with the part that it takes; every example is a test. Words that
 * fit no form are left to the model, which prices additions without knowing them.
 */

/** What a part of a text that was set aside is. */
export type IgnoredKind =
  | "person"
  | "contact"
  | "box"
  | "code"
  | "coordinates"
  | "label"
  | "country"
  | "request"
  | "sign"

export interface SurroundingForm {
  readonly kind: IgnoredKind | "subpremise"
  readonly pattern: RegExp
  /** A match with such words is a name or a street after all. */
  readonly unless?: RegExp
  /** A text, and what the form takes from it. */
  readonly example: readonly [text: string, taken: string]
}

/** A pattern of whole words, in either case. */
const words = (source: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, "giu")
/** A pattern at the start of a part of the text. */
const first = (source: string): RegExp => new RegExp(`(?<=^\\s*|[,;:|([\\n.!?]\\s*|\\d\\s)(?:${source})`, "giu")
/** The same, but not after the number of a house: `12 Chief Okafor Street`. */
const person = (source: string): RegExp => first(`(?<!\\d[a-z]?\\s?,?\\s?)(?:${source})`)
const any = (source: string): RegExp => new RegExp(source, "giu")

/** Words that make a name or a street of what stands before them. */
const placeWord = new RegExp(
  `(?<!\\p{L})(?:road|rd|str?|street|ave?|avenue|close|cl|crescent|cres|way|lane|ln|drive|dr(?=\\s*(?:$|,))|expressway|highway|bypass|` +
    `estate|layout|quarters|market|plaza|mall|house|school|sch|college|academy|hospital|hosp|clinic|phc|centre|center|` +
    `church|mosque|bank|hotel|pharmacy|stores?|supermarket|station|junction|bus ?stop|roundabout|park|village|town|city|state|lga)(?!\\p{L})`,
  "iu"
)

const partWord =
  "flats?|flt|apartments?|apts?|suites?|ste|shops?|offices?|rooms?|rm|units?|blocks?|blk|wing|tower|stall|kiosk|cubicle|lock-?up shop"
/** `3`, `4B`, `3 & 4` directly after the word, `C` and `B12` apart from it. */
const partNumber = "(?:\\d{1,4}[a-z]?(?:\\s?(?:&|and|-)\\s?\\d{1,4}[a-z]?(?=\\s*,|\\s*$))?|(?<=[\\s.:#-])[a-z]\\d{0,3})"
const ordinal =
  "ground|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|top|upper|lower|\\d{1,2}(?:st|nd|rd|th)?|one|two|three|four|five"
const title =
  "mrs?|miss|ms|master|mall?ama?|mal|oga|ustaz|ustadh|sheikh|shaykh|alfa|mazi|nze|ogbuefi|lolo|igwe|obong|gen(?:eral)?|senator|sen|justice|ambassador|apostle|alh(?:aji|aja)?|hajiy?a|haj|chief|dr|prof(?:essor)?|engr|barr(?:ister)?|arch?|past(?:or)?|pst|rev(?:erend)?|bishop|imam|otunba|prince(?:ss)?|hon(?:ourable)?|sir|lady|dame|madam|mama|papa|iya|baba|uncle|aunt(?:y|ie)?|bro(?:ther)?|sis(?:ter)?|capt(?:ain)?|col|maj|sgt|insp|elder|deacon(?:ess)?|evang(?:elist)?|surv|pharm|nurse|comrade"
const name = "\\p{L}[\\p{L}'’.-]*\\.?"
const names = `(?: \\(?${name}\\)?){0,5}`
const digits = (least: number, most: number): string => `\\d(?:[\\s().-]{0,2}\\d){${least - 1},${most - 1}}`
/** With the trunk prefix or the country's, or as typed without either. */
const phone = `(?:(?:\\+|00)?234[\\s().-]{0,3}(?:\\(?0\\)?)?[\\s-]?|\\(?0)(?:${digits(10, 10)}|${digits(8, 9)})(?!\\d)|(?<!\\d)[789][01]\\d[\\s-]\\d{3}[\\s-]\\d{4}(?!\\d)`
const phoneLabel =
  "[tpm](?=\\s?[:.])|ph(?=\\s?[:.])|tel(?:ephone)?|phone|mobile|mob|gsm|cell|call|whats ?app|hot ?line|contact|(?:my |phone )?(?:number|no)"
const colour =
  "black|white|blue|red|green|yellow|brown|gr[ae]y|cream|orange|purple|pink|ash|silver|gold(?:en)?|wine|milk|peach"
const looks = "gate|fence|house|building|bungalow|duplex|door|roof|wall|paint(?:ed)?|container|tank"
const addressLabel =
  "(?:my |our |the |your )?(?:(?:home|office|house|shop|residential|delivery|shipping|billing|contact|postal|mailing|business|full|permanent|current|street|pick-?up|drop-?off|company|work|customer|registered|store) ?)*"

/** Labels that stand after other words, too, if a colon follows. */
const inlineLabel =
  "(?:(?:delivery|shipping|home|office|full|contact|billing|street) )?(?:address|name|landmark)|lga|l\\.g\\.a\\.?|local government(?: area)?|state|city|town|phone(?: (?:no|number))?|tel|mobile|gsm|e-?mail|street|area|postcode|postal code|country|nearest bus ?stop|bus ?stop"

/** A label after other words in one line: `Name: Ada Address: 12 Allen Avenue LGA: Ikeja`. */
export const inlineLabels = new RegExp(`(?<=[\\p{L}\\p{N}.)])[ ](?=(?:${inlineLabel})\\s?[:=])`, "giu")

/** `LGA: Ikeja`, `State: Lagos`: the label says what the name is of. */
export const placeLabels =
  /(?<=^|[,;|\n])(\s*)(?<label>lga|l\.g\.a\.?|local government(?: area)?|state)\s?[:=]\s?(?<name>[\p{L}'’/ -]{2,40}?)(?=\s*(?:$|[.,;|\n]))/giu

/** In this order: what an earlier form takes, later ones do not see. */
export const surroundingForms: ReadonlyArray<SurroundingForm> = [
  {
    kind: "coordinates",
    pattern: any(
      "(?<![\\d.])-?\\d{1,2}\\.\\d{3,}\\s?°?\\s?[ns]?\\s?[,;\\s]\\s?-?\\d{1,3}\\.\\d{3,}\\s?°?\\s?[ew]?(?![\\d.\\p{L}])"
    ),
    example: ["12 Allen Avenue, Ikeja. 6.5983, 3.3397", "6.5983, 3.3397"]
  },
  // Ways to reach people
  {
    kind: "contact",
    pattern: any("(?:e-?mail\\s*[:=-]?\\s*)?[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+"),
    example: ["12 Allen Avenue, E-mail: ada@shop.example", "E-mail: ada@shop.example"]
  },
  {
    kind: "contact",
    pattern: any("https?://\\S+|www\\.\\S+"),
    example: ["12 Allen Avenue https://shop.example/a", "https://shop.example/a"]
  },
  {
    kind: "contact",
    pattern: any(
      `(?:(?<!\\p{L})(?:${phoneLabel})\\.?\\s*(?:no|nos|number|line|me on|on)?\\s*\\.?\\s*[:=-]?\\s*)?(?<![\\d/-])(?:${phone})(?:\\s*(?:[/,&]|or|and)\\s*(?:${phone}))*`
    ),
    example: [
      "12 Allen Avenue. Tel: 0803-123-4567 / +234 (0) 809 123 4567",
      "Tel: 0803-123-4567 / +234 (0) 809 123 4567"
    ]
  },
  {
    kind: "contact",
    pattern: any(
      `(?<!\\p{L})(?:tel(?:ephone)?|phone|mobile|gsm|whats ?app|contact)\\s*(?:no\\.?|number)?\\s*[:=-]?\\s*\\+?${digits(6, 13)}(?!\\d)`
    ),
    example: ["12 Allen Avenue, Phone: 7654321", "Phone: 7654321"]
  },
  {
    kind: "contact",
    pattern: any(
      "(?<!\\p{L})(?:ig|instagram|twitter|facebook|fb|tiktok|telegram)\\s*[:@-]+\\s*@?[\\w.]+|(?<![\\w.])@[\\w.]+"
    ),
    example: ["12 Allen Avenue, IG: @adas_shop", "IG: @adas_shop"]
  },
  // Boxes
  {
    kind: "box",
    pattern: words(
      "p\\.?\\s?o\\.?\\s?b(?:ox|\\.)?\\s*(?:no\\.?|#)?\\s*\\d{1,6}|post(?:al)? (?:office )?box\\s*(?:no\\.?)?\\s*\\d{1,6}"
    ),
    example: ["P.O. Box 123, Ikeja", "P.O. Box 123"]
  },
  {
    kind: "box",
    pattern: first("box\\s*(?:no\\.?|#)?\\s*\\d{1,6}(?![\\p{L}\\d])"),
    example: ["12 Allen Avenue, Ikeja. Box 1029", "Box 1029"]
  },
  {
    kind: "box",
    pattern: words("p\\.?\\s?m\\.?\\s?b\\.?\\s*(?:no\\.?|#)?\\s*\\d{1,6}|private mail bag\\s*(?:no\\.?)?\\s*\\d{1,6}"),
    example: ["P.M.B. 1234, Ikeja", "P.M.B. 1234"]
  },
  // Codes of other systems
  {
    kind: "code",
    pattern: words(
      "(?:(?:nipost |area )?(?:postal|post|zip|postcode|zipcode|pin)[ -]?(?:code)?s?|area code)\\s*(?:no\\.?|is)?\\s*[:#.=-]*\\s*\\d{3}\\s?\\d{2,3}"
    ),
    example: ["12 Allen Avenue, Postal code: 100 271", "Postal code: 100 271"]
  },
  {
    kind: "code",
    pattern: any(
      "(?<![\\d/.+-])[-–]?\\s?[1-9]\\d{5}(?![\\d/+]|[.-]\\d)|(?<![\\d/.+-] ?)[1-9]\\d{2} \\d{3}(?=\\s*(?:$|[,.;\\n)]|nigeria))"
    ),
    example: ["12 Allen Avenue, Ikeja 100271, Lagos", "100271"]
  },
  {
    kind: "code",
    pattern: words("[23456789cfghjmpqrvwx]{4,8}\\+[23456789cfghjmpqrvwx]{2,3}"),
    example: ["12 Allen Avenue, H9XQ+84", "H9XQ+84"]
  },
  {
    kind: "code",
    pattern: any("///\\p{L}+\\.\\p{L}+\\.\\p{L}+"),
    example: ["12 Allen Avenue ///filled.count.soap", "///filled.count.soap"]
  },
  {
    kind: "code",
    pattern: words(
      "(?:order|ref(?:erence)?|invoice|receipt|tracking|waybill|awb|parcel|shipment|consignment|customer|client|account|acct|a/c|transaction|booking|meter|pick-?up)(?: ?(?:id|nos?\\.?|number|code|ref))?\\s*[.:=-]*\\s*(?:#\\s?[a-z\\d][a-z\\d/-]*|[a-z]{1,5}-?\\d{2,}[a-z\\d/-]*|\\d{4,})"
    ),
    example: ["12 Allen Avenue, Ikeja. Order no. A-4471", "Order no. A-4471"]
  },
  // Parts of a building
  {
    kind: "subpremise",
    pattern: words(`(?:${ordinal})[ -]?(?:floor|flr|flor|fl|storey|level)(?: (?:flat|apartment|room|office|suite))?`),
    example: ["2nd Floor, 12 Allen Avenue", "2nd Floor"]
  },
  {
    kind: "subpremise",
    pattern: words(`(?:floor|flr|level|lvl)\\s*(?:no\\.?)?\\s*(?:\\d{1,2}|[a-g]|one|two|three|four|five)`),
    example: ["Level 2, 12 Allen Avenue", "Level 2"]
  },
  {
    kind: "subpremise",
    pattern: words(
      `(?!(?:office|shop)s?\\s*:)(?:${partWord})\\.?\\s*(?:nos?\\.?|number|num|#)?\\s*[:.-]?\\s?${partNumber}`
    ),
    example: ["Flat 3, Block B, 12 Allen Avenue", "Flat 3 · Block B"]
  },
  {
    kind: "subpremise",
    pattern: words("(?:[a-f]|left|right|east|west|north|south)[ -]wing"),
    example: ["East wing, 12 Allen Avenue", "East wing"]
  },
  {
    kind: "subpremise",
    pattern: words("upstairs|downstairs|down ?floor|basement|penthouse|mezzanine|bq|b\\.q\\.?|boys'? quarters?"),
    example: ["BQ, 12 Allen Avenue", "BQ"]
  },
  // Labels
  {
    kind: "label",
    pattern: first(
      `${addressLabel}(?:address|addr|add|location|residence)(?: line)? ?\\d?\\s*(?:is\\s+(?:at\\s+)?|[:=]+|[-–]\\s)`
    ),
    example: ["My delivery address is 12 Allen Avenue", "My delivery address is"]
  },
  {
    kind: "label",
    pattern: first(
      "(?:my |the |our )?(?:digital |national )?(?:post ?code|zip ?code|address code)\\s*(?:is\\s|[:=#-])?"
    ),
    example: ["Postcode: 12 Allen Avenue", "Postcode:"]
  },
  {
    kind: "label",
    pattern: first(
      "(?:street|street name|address|city|town|state|lga|area|country|locality|landmark|district|house|house no|number|zip|location|region|province|place|office|shop|home|destination)\\s*[:=]"
    ),
    example: ["Street: 12 Allen Avenue, City: Ikeja", "Street: · City:"]
  },
  {
    kind: "label",
    pattern: first(
      "(?:(?:i|we)(?:'m| am| are)?\\s+(?:live|stay|reside|based|located|at|dey)(?:\\s+(?:at|in|on|for))?|(?:it'?s|it is|we'?re|located|situated|resident)\\s+(?:at|in|on)|(?:send|bring|ship|take)\\s+(?:it|them|this|my order)?\\s*to|drop(?: it)? (?:off )?at)\\s"
    ),
    example: ["I live at 12 Allen Avenue", "I live at"]
  },
  // People
  {
    kind: "person",
    pattern: person(
      `(?:(?:kind )?att(?:n|ention)?|c/o|c\\.o\\.|care of|deliver(?:y)? to|recipient|receiver|customer|consignee|addressee|name|contact person|ask for|(?:ship(?:ped)?|bill(?:ed)?|sold|invoice) ?to|to)\\s*[:.-]?${names}(?=\\s*(?:[,;|\\n\\d]|$))`
    ),
    unless: placeWord,
    example: ["c/o Mama Ngozi, 12 Allen Avenue", "c/o Mama Ngozi"]
  },
  {
    kind: "person",
    pattern: person(
      `(?:(?:kind )?att(?:n|ention)?|c/o|c\\.o\\.|care of|(?:(?:pls|please|kindly) )?deliver(?:y)? ?(?:to|at|@)|(?:ship(?:ped)?|bill(?:ed)?|sold|invoice) ?to(?=\\s?:)|recipient|receiver|customer|consignee|addressee)\\s*[:.-]?(?=\\s)`
    ),
    example: ["Deliver to: 12 Allen Avenue", "Deliver to:"]
  },
  {
    kind: "person",
    pattern: person(
      `(?:the )?(?:${title})(?:\\.? ?(?:&|and) ?(?:${title}))?(?:\\.|(?=[\\s(]))${names}(?=\\s*(?:[,;|\\n\\d]|$))`
    ),
    unless: placeWord,
    example: ["Mrs. Adaeze Okafor, 12 Allen Avenue", "Mrs. Adaeze Okafor"]
  },
  // Requests, and how the house looks
  {
    kind: "request",
    pattern: first(
      "(?:please|pls|plz|kindly|abeg|call|ring|knock|flash|text|dial|ask|beep|leave|drop|do not|don'?t|deliver|handle|beware|thanks|thank|tnx|god|when|once|if|make|look|let|wait|use|enter)(?![\\p{L}\\d])[^,;\\n|]*"
    ),
    unless: placeWord,
    example: ["12 Allen Avenue, please call on arrival", "please call on arrival"]
  },
  {
    kind: "request",
    pattern: first(
      "(?:very |most )?(?:urgent|fragile|important|confidential|express delivery|asap)(?: delivery)?(?![\\p{L}\\d])[!.:*]*"
    ),
    example: ["URGENT!!! 12 Allen Avenue", "URGENT!!!"]
  },
  {
    kind: "request",
    pattern: words(
      `(?:the |a )?(?:(?:big|small|tall|old|new|long)\\s)?(?:${colour})(?:\\s?(?:and|&|/)\\s?(?:${colour}))?\\s(?:coloured |painted |iron )?(?:${looks})(?:\\s(?:on|by|at|to|in)\\s(?:the|your)\\s(?:left|right|front|back|corner|end|top)(?! of)(?:[ -](?:hand )?side)?)?`
    ),
    example: ["12 Allen Avenue, blue gate on the left", "blue gate on the left"]
  },
  {
    kind: "request",
    pattern: words(
      "(?:the )?(?:\\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|last|next) (?:house|building|compound|bungalow|duplex)(?: (?:on|to|by|from|at|after) (?:the|your) (?:left|right|corner|end|junction|gate)(?:[ -](?:hand )?side)?)?"
    ),
    example: ["12 Allen Avenue, Ikeja. 3rd house on the left", "3rd house on the left"]
  },
  {
    kind: "request",
    pattern: words(
      "(?:on|to|by) (?:the|your) (?:left|right)(?:[ -](?:hand )?side)?|(?:\\d|one|two|three|four|five)[ -]?stor(?:e?y|ied|eyed)(?: building| house)?|bungalow|duplex"
    ),
    example: ["12 Allen Avenue, on your right hand side", "on your right hand side"]
  },
  // Without a comma before them
  {
    kind: "request",
    pattern: words(
      "(?:(?:estate|house|main|compound|street) )?(?:gate|access|entry|security|door|lock) (?:pass)?code(?: is)?\\s*[:=-]?\\s*[#*]?[\\p{L}\\d]{2,8}|(?:deliver(?:y|ed)?|open|available|come|at home|home) (?:only )?(?:between|from|at|by|before|after) \\d{1,2}(?:[:.]\\d{2})?\\s?(?:am|pm)?(?:\\s?(?:and|to|-|till|until)\\s?\\d{1,2}(?:[:.]\\d{2})?\\s?(?:am|pm)?)?"
    ),
    example: ["12 Allen Avenue, Ikeja estate gate code is 4471", "estate gate code is 4471"]
  },
  {
    kind: "request",
    pattern: words(
      "(?:pls|plz|please|abeg|kindly|biko|make (?:you|una)|when (?:you|u) (?:reach|get|arrive|dey)|call (?:me|us|him|her|when|on|before|upon)|(?:do not|don'?t) (?:call|give|leave|drop|ring|horn|knock|bend)|ask for|my (?:sister|brother|wife|husband|mum|mom|mother|dad|father|son|daughter|neighbou?r|gateman|boy|friend))(?! [^,;\\n|]*(?<=\\s)\\d)[^,;\\n|]*"
    ),
    unless: placeWord,
    example: ["12 Allen Avenue Ikeja pls dont give gateman", "pls dont give gateman"]
  },
  // The country
  {
    kind: "country",
    pattern: any(
      "(?<=[\\s,.;(|-])(?<!\\b(?:of|in) )(?:federal republic of nigeria|nigeria|nga|naija|9ja|ng|nig|west africa|w/africa|africa)\\.?(?=\\s*(?:$|[,.;)\\]|\\n]|nigeria|west africa|africa))"
    ),
    example: ["12 Allen Avenue, Ikeja, Nigeria", "Nigeria"]
  },
  // Emoji
  {
    kind: "sign",
    pattern: any("(?:[\\p{Extended_Pictographic}\\u{1f3fb}-\\u{1f3ff}\\u{1f1e6}-\\u{1f1ff}][\\ufe0f\\u200d]*)+"),
    example: ["📍 12 Allen Avenue", "📍"]
  }
]
