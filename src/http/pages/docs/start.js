/**
 * Shows the OpenAPI document of the service that serves this page. The viewer expands all schemas that an operation
 * refers to, which in the end are all schemas of the API. Schemas nested in a body or in a selection are therefore
 * shown by name only.
 */
const NESTED = /"#\/components\/schemas\/(\w+(?:Input|Selection))"/

/** Copy of a schema in which each nested object is replaced by its name. */
function shallow(schema) {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const nested = NESTED.exec(JSON.stringify(property))?.[1]
    return [name, nested ? { description: `${property.description ?? ''} (${nested})`.trim() } : property]
  })
  return schema.properties ? { ...schema, properties: Object.fromEntries(properties) } : schema
}

const isDark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', isDark.matches)
isDark.addEventListener('change', follow)
follow()

const spec = await (await fetch('../openapi.json')).json()
for (const [name, schema] of Object.entries(spec.components.schemas))
  spec.components.schemas[name] = shallow(schema)

spec.info.description += '\n\nThe whole document: [openapi.json](../openapi.json).'

/** Names for fields to which Swagger UI gives none, by their selectors. */
const NAMES = [
  ['.servers select', 'Server'],
  ['.content-type-wrapper select, select.content-type', 'Content type'],
  ['.body-param textarea', 'Request body'],
  ['.close-modal', 'Close'],
]

/** Parts of the page that are landmarks, by their selectors. */
const LANDMARKS = [
  ['.information-container', 'region', 'About the interface'],
  ['.scheme-container', 'region', 'Server and key'],
  ['.filter', 'search', 'Operations'],
  ['.dialog-ux', 'dialog', 'Key'],
]

/** Gives headings their order, fields a name and the keyboard a way to scroll, as Swagger UI does not. */
function amend() {
  for (const heading of document.querySelectorAll('#interface :is(h3, h4, h5):not([aria-level])'))
    heading.setAttribute('aria-level', Number(heading.localName[1]) - 1)
  for (const [selector, role, name] of LANDMARKS)
    for (const part of document.querySelectorAll(`${selector}:not([role])`)) {
      part.setAttribute('role', role)
      part.setAttribute('aria-label', name)
    }
  for (const [selector, name] of NAMES)
    for (const field of document.querySelectorAll(selector))
      if (!field.hasAttribute('aria-label')) field.setAttribute('aria-label', name)
  for (const select of document.querySelectorAll('.parameters select:not([aria-label])'))
    select.setAttribute('aria-label', select.closest('tr')?.dataset.paramName ?? 'Value')
  for (const text of document.querySelectorAll('pre.microlight:not([tabindex])')) text.tabIndex = 0
  // The whole line is a button already, so this link is not needed.
  for (const link of document.querySelectorAll('.opblock-summary-control a[href]'))
    link.removeAttribute('href')
  for (const button of document.querySelectorAll('.auth-btn-wrapper [aria-label]'))
    button.removeAttribute('aria-label')
}

new MutationObserver(amend).observe(document.getElementById('interface'), { childList: true, subtree: true })

// A key that is typed in is kept in this page only.
window.SwaggerUIBundle({
  spec,
  dom_id: '#interface',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  validatorUrl: null,
})
