import { type MailContent, type MailFact, type MailLink, oneLine } from './messages/mail-content.js'

/** A message as plain text. */
export function mailText(content: MailContent): string {
  const { notice, paragraphs, facts, button, second, footer, unsubscribe } = content
  const blocks = [
    ...(notice === undefined ? [] : [`[${notice}]`]),
    ...paragraphs.map(oneLine),
    ...(facts.length === 0 ? [] : [facts.map(factText).join('\n')]),
    ...(button === undefined ? [] : [linkText(button)]),
    ...(second === undefined ? [] : [linkText(second)]),
    ['--', ...footer.map(oneLine), ...(unsubscribe === undefined ? [] : [linkText(unsubscribe)])].join('\n'),
  ]
  return `${blocks.join('\n\n')}\n`
}

function factText([label, value]: MailFact): string {
  return `${label}: ${oneLine(value)}`
}

function linkText({ label, address }: MailLink): string {
  return `${label}:\n${address}`
}

const BODY =
  'margin:0;padding:24px 12px;background:#f4f4f5;color:#18181b;font:16px/1.5 system-ui,-apple-system,Segoe UI,sans-serif'
const CARD = 'max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px'
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#18181b;color:#ffffff;text-decoration:none'
const CELL = 'padding:4px 16px 4px 0;vertical-align:top;text-align:start'
const FAINT = 'color:#52525b;font-size:14px'

/** A message as HTML without external resources: no image, style sheet or script. */
export function mailHtml(content: MailContent): string {
  const { language, merchant, subject, notice, paragraphs, facts, button, second, footer, unsubscribe } =
    content
  return [
    `<!doctype html>`,
    `<html lang="${language}"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<title>${escaped(subject)}</title></head>`,
    `<body style="${BODY}"><div style="${CARD}">`,
    notice === undefined ? '' : `<p style="${FAINT}"><strong>${escaped(notice)}</strong></p>`,
    `<p dir="auto" style="${FAINT}">${escaped(merchant)}</p>`,
    ...paragraphs.map((text) => `<p dir="auto">${escaped(text)}</p>`),
    facts.length === 0 ? '' : `<table>${facts.map(factRow).join('')}</table>`,
    button === undefined ? '' : `<p>${link(button, BUTTON)}</p>`,
    second === undefined ? '' : `<p>${link(second, '')}</p>`,
    ...footer.map((text) => `<p dir="auto" style="${FAINT}">${escaped(text)}</p>`),
    unsubscribe === undefined ? '' : `<p style="${FAINT}">${link(unsubscribe, FAINT)}</p>`,
    `</div></body></html>`,
  ]
    .filter((line) => line !== '')
    .join('\n')
}

function factRow([label, value]: MailFact): string {
  return `<tr><th scope="row" style="${CELL};font-weight:400;color:#52525b">${escaped(label)}</th><td dir="auto" style="${CELL}">${escaped(value)}</td></tr>`
}

function link({ label, address }: MailLink, style: string): string {
  return `<a href="${escaped(address)}" style="${style}">${escaped(label)}</a>`
}

function escaped(text: string): string {
  return oneLine(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
