import picture from "../../../../packages/console/src/icon.svg"

/** What the product is called, as the way to the start. */
export const Brand = () => (
  <a className="brand" href="#/">
    <img src={picture} alt="" />
    Postcode Gateway
  </a>
)
