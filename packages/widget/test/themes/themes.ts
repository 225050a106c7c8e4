/**
 * Checkouts in the styles of three common shop themes, written for these tests: what such themes set on all inputs,
 * buttons, labels and lists, in light and in dark.
 */

export interface Theme {
  readonly name: string
  readonly css: string
  /** What a shop sets of the picker, so that it looks like the fields beside it. */
  readonly variables: string
  /** The checkout around a picker, whose fields `street`, `lga` and `state` it fills. */
  readonly html: (picker: string) => string
}

/** A store on WordPress: grey fields without borders, uppercase buttons, wide lists. */
const storefront: Theme = {
  name: "Storefront",
  css: `
*, *::before, *::after { box-sizing: border-box }
body { margin: 0; background: light-dark(#fff, #202124); color: light-dark(#6d6d6d, #c4c4c4); font: 16px/1.618 "Source Sans Pro", "HelveticaNeue-Light", Helvetica, Arial, sans-serif; -webkit-font-smoothing: antialiased }
main { max-width: 42em; margin: 0 auto; padding: 0 1.41575em 4em }
h1 { margin: .8em 0; color: light-dark(#333, #eee); font-size: 2.2em; font-weight: 300; letter-spacing: -1px; line-height: 1.214 }
p { margin: 0 0 1.41575em }
ul { margin: 0 0 1.41575em 3em; padding: 0; list-style: disc }
label { display: block; font-weight: 400 }
input, textarea, select, .select2 { width: 100%; padding: .6180469716em; border: 0; border-radius: 2px; background-color: light-dark(#f2f2f2, #303134); color: light-dark(#43454b, #ddd); box-shadow: inset 0 1px 1px rgba(0, 0, 0, .125); font: inherit; font-weight: 400; outline: 0 }
input:focus { background-color: light-dark(#ededed, #3a3b3e) }
button, .button { display: inline-block; padding: .6180469716em 1.41575em; border: 0; border-radius: 0; background-color: #333; color: #fff !important; font-weight: 600; text-transform: uppercase; text-shadow: none; cursor: pointer }
.form-row { float: left; width: 100%; margin: 0 0 .7em }
.form-row-first { width: 47.05% } .form-row-last { width: 47.05%; float: right }
#order { width: 100%; font-size: 1.41575em }
@media (max-width: 568px) { .form-row { width: 100%; float: none } }`,
  variables: `--pc-accent: light-dark(#7f54b3, #b794e0); --pc-line: transparent; --pc-radius: 2px; --pc-surface: light-dark(#f2f2f2, #303134); --pc-text: light-dark(#43454b, #ddd); --pc-font: 16px/1.4 "Source Sans Pro", Helvetica, Arial, sans-serif`,
  html: (picker) => `<div class="woocommerce"><h1>Checkout</h1><form class="checkout">
<p class="form-row form-row-first"><label for="first">First name</label><input id="first" class="input-text"></p>
<p class="form-row form-row-last"><label for="last">Last name</label><input id="last" class="input-text"></p>
<div class="form-row">${picker}</div>
<p class="form-row"><label for="street">Street address</label><input id="street" class="input-text"></p>
<p class="form-row form-row-first"><label for="lga">Town / City</label><input id="lga" class="input-text"></p>
<p class="form-row form-row-last"><label for="state">State</label><input id="state" class="input-text"></p>
<p class="form-row"><button id="order" type="submit">Place order</button></p></form></div>`
}

/** A hosted shop: a root of 62.5 %, letter spacing, fields with floating labels, a sticky bar with the total. */
const dawn: Theme = {
  name: "Dawn",
  css: `
*, *::before, *::after { box-sizing: inherit }
html { box-sizing: border-box; font-size: 62.5%; height: 100% }
body { display: grid; grid-template-columns: 100%; min-height: 100%; margin: 0; background: light-dark(#fff, #121212); color: light-dark(rgba(18, 18, 18, .75), rgba(255, 255, 255, .75)); font: 400 1.5rem/1.8 Assistant, sans-serif; letter-spacing: .06rem }
main { width: min(64rem, 100%); margin: 0 auto; padding: 0 1.5rem 12rem }
h1 { color: light-dark(#121212, #fff); font-size: 3rem; font-weight: 400; letter-spacing: .06rem; line-height: 1.3 }
.field { position: relative; display: flex; width: 100%; margin-bottom: 2rem; transform: translateZ(0) }
.field__input { flex-grow: 1; min-width: 0; width: 100%; height: 4.5rem; margin: .1rem; padding: 2.2rem 1.5rem .8rem 2rem; border: 0; border-radius: 0; background-color: light-dark(#fff, #121212); color: light-dark(#121212, #fff); box-shadow: 0 0 0 .1rem light-dark(rgba(18, 18, 18, .55), rgba(255, 255, 255, .55)); font: inherit; font-size: 1.6rem; letter-spacing: .04rem; text-align: left; appearance: none }
.field__label { position: absolute; top: .4rem; left: 2rem; margin: 0; color: light-dark(rgba(18, 18, 18, .75), rgba(255, 255, 255, .75)); font-size: 1rem; letter-spacing: .04rem; pointer-events: none }
.row { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem }
ul { list-style: none; padding: 0 }
button { border: 0; font: inherit; letter-spacing: inherit }
.button { display: flex; justify-content: center; align-items: center; width: 100%; min-height: 4.7rem; border-radius: 0; background: light-dark(#121212, #fff); color: light-dark(#fff, #121212); font-size: 1.5rem; letter-spacing: .1rem; cursor: pointer }
.summary { position: fixed; inset: auto 0 0; z-index: 5; padding: 1.2rem 1.5rem; background: light-dark(#fff, #121212); border-top: .1rem solid light-dark(#e5e5e5, #333) }
/* The label floats in the field, also of the picker. */
postcode-picker::part(input) { padding-block: 2rem .4rem }`,
  variables: `--pc-accent: light-dark(#121212, #fff); --pc-line: light-dark(rgba(18, 18, 18, .55), rgba(255, 255, 255, .55)); --pc-radius: 0; --pc-surface: light-dark(#fff, #121212); --pc-text: light-dark(#121212, #fff); --pc-font: 1.6rem/1.4 Assistant, sans-serif`,
  html: (picker) => `<h1>Delivery</h1><form>
<div class="row"><div class="field"><input id="first" class="field__input"><label class="field__label" for="first">First name</label></div>
<div class="field"><input id="last" class="field__input"><label class="field__label" for="last">Last name</label></div></div>
<div class="field">${picker.replace("<postcode-picker", '$& id="where" class="field__input"')}<label class="field__label" for="where">Postcode</label></div>
<div class="field"><input id="street" class="field__input"><label class="field__label" for="street">Address</label></div>
<div class="row"><div class="field"><input id="lga" class="field__input"><label class="field__label" for="lga">City</label></div>
<div class="field"><input id="state" class="field__input"><label class="field__label" for="state">State</label></div></div>
<div class="summary"><button class="button" id="order" type="submit">Pay now</button></div></form>`
}

/** A page on Bootstrap: its reboot, its grid, and a card that hides what overflows. */
const bootstrap: Theme = {
  name: "Bootstrap",
  css: `
*, *::before, *::after { box-sizing: border-box }
body { margin: 0; background: light-dark(#f8f9fa, #212529); color: light-dark(#212529, #dee2e6); font: 400 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; -webkit-text-size-adjust: 100% }
main { max-width: 720px; margin: 0 auto; padding: 0 .75rem 3rem }
h1 { margin: 1.5rem 0 .5rem; font-size: calc(1.325rem + .9vw); font-weight: 500; line-height: 1.2 }
p, ul { margin-top: 0; margin-bottom: 1rem } ul { padding-left: 2rem }
label { display: inline-block } button, input { margin: 0; font-family: inherit; font-size: inherit; line-height: inherit }
[type=button]:not(:disabled), [type=submit]:not(:disabled) { cursor: pointer }
.card { overflow: hidden; padding: 1rem; border: 1px solid light-dark(rgba(0, 0, 0, .175), rgba(255, 255, 255, .15)); border-radius: .375rem; background: light-dark(#fff, #212529) }
.row { display: flex; flex-wrap: wrap; margin: -1rem -.5rem 0 } .row > * { width: 100%; padding: 0 .5rem; margin-top: 1rem }
@media (min-width: 768px) { .col-6 { width: 50% } }
.form-label { margin-bottom: .5rem }
.form-control { display: block; width: 100%; padding: .375rem .75rem; border: 1px solid light-dark(#dee2e6, #495057); border-radius: .375rem; background-color: light-dark(#fff, #212529); color: light-dark(#212529, #dee2e6); appearance: none }
.form-control:focus { border-color: #86b7fe; outline: 0; box-shadow: 0 0 0 .25rem rgba(13, 110, 253, .25) }
.btn { width: 100%; padding: .5rem 1rem; border: 1px solid #0d6efd; border-radius: .5rem; background: #0d6efd; color: #fff; font-size: 1.25rem }`,
  variables: `--pc-accent: #0d6efd; --pc-line: light-dark(#dee2e6, #495057); --pc-radius: .375rem; --pc-surface: light-dark(#fff, #212529); --pc-text: light-dark(#212529, #dee2e6)`,
  html: (picker) => `<h1>Checkout form</h1><div class="card"><form class="needs-validation"><div class="row">
<div class="col-6"><label class="form-label" for="first">First name</label><input id="first" class="form-control"></div>
<div class="col-6"><label class="form-label" for="last">Last name</label><input id="last" class="form-control"></div>
<div>${picker}</div>
<div><label class="form-label" for="street">Address</label><input id="street" class="form-control"></div>
<div class="col-6"><label class="form-label" for="lga">City</label><input id="lga" class="form-control"></div>
<div class="col-6"><label class="form-label" for="state">State</label><input id="state" class="form-control"></div>
<div><button class="btn" id="order" type="submit">Continue to checkout</button></div></div></form></div>`
}

export const themes: ReadonlyArray<Theme> = [storefront, dawn, bootstrap]

/** All of its styles, for one sheet. */
export const stylesOf = ({ css, variables }: Theme): string =>
  `${css}\npostcode-picker { ${variables} }\npostcode-picker::part(label) { font-weight: 400 }`
