import { TOKENS } from '../style.js'

/** The stylesheet of the console. */
export const CONSOLE_STYLE = `${TOKENS.text}
@view-transition { navigation: auto; }
*, ::before, ::after { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
`
