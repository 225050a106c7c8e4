import picture from "../../../../../packages/console/src/icon.svg"

/** The product's name, linked to the start. */
export const Brand = () => (
  <a className="brand" href="#/">
    <img src={picture} alt="" />
    Postcode Gateway
  </a>
)
