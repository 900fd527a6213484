import type { MailTexts } from './mail-texts.js'

export const MAIL_IN_SPANISH: MailTexts = {
  tag: 'es-US',
  testNotice: 'Esto es una prueba. No se ha movido dinero.',
  footer: (merchant) => `Enviado en nombre de ${merchant}.`,
  answers: '¿Preguntas? Responda a este mensaje.',
  unsubscribe: 'No recibir más recordatorios como este',
  labels: {
    amount: 'Importe',
    surcharge: 'Recargo',
    total: 'Total',
    date: 'Fecha',
    method: 'Pagado con',
    reference: 'Referencia',
    order: 'Pedido',
    description: 'Descripción',
    invoice: 'Factura',
    due: 'Vence',
    amountDue: 'Importe pendiente',
    paid: 'Pagado hasta ahora',
    expires: 'Caduca',
  },
  receipt: {
    subject: {
      payment: (merchant) => `Recibo de su pago a ${merchant}`,
      refund: (merchant) => `Reembolso de ${merchant}`,
      credit: (merchant) => `Abono de ${merchant}`,
    },
    text: {
      payment: (amount, merchant) => `Gracias. Ha pagado ${amount} a ${merchant}.`,
      refund: (amount, merchant) => `${merchant} le ha reembolsado ${amount}.`,
      credit: (amount, merchant) => `${merchant} le ha pagado ${amount}.`,
    },
    button: 'Ver el recibo',
  },
  invoice: {
    subject: (number, merchant) => `Factura ${number} de ${merchant}`,
    text: (merchant, amount) => `${merchant} le ha enviado una factura. Quedan por pagar ${amount}.`,
    automatic: (date, method) => `Se cobrará el ${date} (${method}); no tiene que hacer nada.`,
    button: 'Ver y pagar la factura',
  },
  reminder: {
    subject: (amount, date, merchant) => `${amount} para ${merchant} vence el ${date}`,
    text: (amount, date) => `Recordatorio: el pago de ${amount} vence el ${date}.`,
    button: 'Pagar ahora',
  },
  failedPayment: {
    subject: (merchant) => `No se pudo cobrar su pago a ${merchant}`,
    text: (amount, method) => `No pudimos cobrar ${amount} (${method}).`,
    noMethod: (amount) => `No pudimos cobrar ${amount} con su forma de pago.`,
    next: 'Pague con otra tarjeta o cuenta, por favor.',
    button: 'Pagar ahora',
    replace: 'Cambiar la tarjeta guardada',
  },
  expiringCard: {
    subject: (merchant) => `Su tarjeta guardada en ${merchant} caduca pronto`,
    text: (method, month) =>
      `La tarjeta que se cobra automáticamente (${method}) caduca a fines de ${month}.`,
    next: (merchant) => `Dé a ${merchant} una tarjeta nueva antes, para que ningún pago falle.`,
    button: 'Dar una tarjeta nueva',
  },
  paymentLink: {
    subject: (amount, merchant) => `Pague ${amount} a ${merchant}`,
    text: (merchant, amount) => `${merchant} le pide que pague ${amount}.`,
    button: 'Pagar ahora',
  },
  dispute: {
    label: 'Disputa',
    subject: {
      inquiry: (amount, merchant) => `${merchant}: un banco pregunta por ${amount}`,
      needs_response: (amount, merchant) => `${merchant}: se disputan ${amount}`,
      due: (amount, merchant) => `${merchant}: responda pronto a la disputa de ${amount}`,
      won: (amount, merchant) => `${merchant}: la disputa de ${amount} está ganada`,
      lost: (amount, merchant) => `${merchant}: la disputa de ${amount} está perdida`,
    },
    text: {
      inquiry: (amount) => `El banco de un cliente pregunta por un pago de ${amount}. No se movió dinero.`,
      needs_response: (amount) =>
        `El banco de un cliente ha retirado ${amount}. Puede enviar pruebas una sola vez, a tiempo.`,
      due: (amount) =>
        `Las pruebas contra la disputa de ${amount} deben llegar pronto, y no se envió ninguna.`,
      won: (amount) => `El banco decidió a su favor: ${amount} se quedan con usted.`,
      lost: (amount) => `El banco decidió a favor del cliente: ${amount} se quedan con el cliente.`,
    },
  },
  methodLink: {
    subject: (merchant) => `Guarde una forma de pagar a ${merchant}`,
    text: (merchant) =>
      `${merchant} le pide que guarde una tarjeta o cuenta, en la que se cobrará lo que venza.`,
    button: 'Guardar una tarjeta o cuenta',
  },
  test: { subject: 'El correo funciona', text: 'Este mensaje indica que el correo está configurado.' },
}
