import { Section } from "../../kit/layout/Section.tsx"
import { Table } from "../../kit/tables/Table.tsx"

/** The prices, as in the documentation. */
export const PricesSection = () => (
  <Section
    title="Prices"
    lead="The default prices. The operator of this service may have set others. The response header X-Credits-Charged reports what a request with a secret key cost."
  >
    <Table
      caption="Prices"
      rows={prices}
      keyOf={({ what }) => what}
      empty={null}
      columns={[
        { head: "Request", cell: ({ what }) => what },
        { head: "Returns", cell: ({ holds }) => holds },
        { head: "Credits", cell: ({ credits }) => credits, isNumber: true }
      ]}
    />
    <p class="muted">
      A lookup costs the price of the highest access level that its response contains data of. Unknown data is free. A
      batch costs the sum of its units, each counted once. Free are other searches, nearby, checking and assembling
      postcodes, lists of codes, and all requests that are refused or find nothing.
    </p>
  </Section>
)

const prices = [
  { what: "Lookup, level 1", holds: "whether the postcode exists", credits: 0 },
  { what: "Lookup, level 2", holds: "the address", credits: 1 },
  { what: "Lookup, level 3", holds: "also the use of the building", credits: 2 },
  { what: "Lookup, level 4", holds: "also the type, owner and delivery point of the building", credits: 3 },
  { what: "Lookup, level 5", holds: "also the coordinates; granted after a review", credits: 3 },
  {
    what: "Widget session",
    holds: "bookmarks, 30 searches and lookups, and 60 address searches on your page",
    credits: 1
  },
  { what: "Address search", holds: "a postcode, or a part of one below the LGA", credits: 1 }
]
