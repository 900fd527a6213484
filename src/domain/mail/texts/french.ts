import type { MailTexts } from './mail-texts.js'

export const MAIL_IN_FRENCH: MailTexts = {
  tag: 'fr-FR',
  testNotice: "Ceci est un test. Aucun argent n'a été déplacé.",
  footer: (merchant) => `Envoyé au nom de ${merchant}.`,
  answers: 'Des questions ? Répondez à ce message.',
  unsubscribe: 'Ne plus recevoir de rappels comme celui-ci',
  labels: {
    amount: 'Montant',
    surcharge: 'Supplément',
    total: 'Total',
    date: 'Date',
    method: 'Payé avec',
    reference: 'Référence',
    order: 'Commande',
    description: 'Description',
    invoice: 'Facture',
    due: 'Échéance',
    amountDue: 'Montant dû',
    paid: "Payé jusqu'ici",
    expires: 'Expire',
  },
  receipt: {
    subject: {
      payment: (merchant) => `Reçu de votre paiement à ${merchant}`,
      refund: (merchant) => `Remboursement de ${merchant}`,
      credit: (merchant) => `Versement de ${merchant}`,
    },
    text: {
      payment: (amount, merchant) => `Merci. Vous avez payé ${amount} à ${merchant}.`,
      refund: (amount, merchant) => `${merchant} vous a remboursé ${amount}.`,
      credit: (amount, merchant) => `${merchant} vous a versé ${amount}.`,
    },
    button: 'Voir le reçu',
  },
  invoice: {
    subject: (number, merchant) => `Facture ${number} de ${merchant}`,
    text: (merchant, amount) => `${merchant} vous a envoyé une facture. Il reste ${amount} à payer.`,
    automatic: (date, method) => `Elle sera prélevée le ${date} (${method}) ; vous n'avez rien à faire.`,
    button: 'Voir et payer la facture',
  },
  reminder: {
    subject: (amount, date, merchant) => `${amount} à payer à ${merchant} avant le ${date}`,
    text: (amount, date) => `Rappel : le paiement de ${amount} est dû le ${date}.`,
    button: 'Payer maintenant',
  },
  failedPayment: {
    subject: (merchant) => `Votre paiement à ${merchant} a échoué`,
    text: (amount, method) => `Nous n'avons pas pu prélever ${amount} (${method}).`,
    noMethod: (amount) => `Nous n'avons pas pu prélever ${amount} sur votre moyen de paiement.`,
    next: 'Veuillez payer avec une autre carte ou un autre compte.',
    button: 'Payer maintenant',
    replace: 'Remplacer la carte enregistrée',
  },
  expiringCard: {
    subject: (merchant) => `Votre carte enregistrée chez ${merchant} expire bientôt`,
    text: (method, month) => `La carte prélevée automatiquement (${method}) expire fin ${month}.`,
    next: (merchant) =>
      `Veuillez donner une nouvelle carte à ${merchant} d'ici là, pour qu'aucun paiement n'échoue.`,
    button: 'Donner une nouvelle carte',
  },
  paymentLink: {
    subject: (amount, merchant) => `${amount} à payer à ${merchant}`,
    text: (merchant, amount) => `${merchant} vous demande de payer ${amount}.`,
    button: 'Payer maintenant',
  },
  dispute: {
    label: 'Litige',
    subject: {
      inquiry: (amount, merchant) => `${merchant} : une banque demande des informations sur ${amount}`,
      needs_response: (amount, merchant) => `${merchant} : ${amount} sont contestés`,
      due: (amount, merchant) => `${merchant} : répondez bientôt au litige de ${amount}`,
      won: (amount, merchant) => `${merchant} : le litige de ${amount} est gagné`,
      lost: (amount, merchant) => `${merchant} : le litige de ${amount} est perdu`,
    },
    text: {
      inquiry: (amount) =>
        `La banque d'un client demande des informations sur un paiement de ${amount}. Aucun argent n'a bougé.`,
      needs_response: (amount) =>
        `La banque d'un client a repris ${amount}. Vous pouvez envoyer des preuves une seule fois, à temps.`,
      due: (amount) =>
        `Les preuves contre le litige de ${amount} doivent bientôt arriver, et aucune n'a été envoyée.`,
      won: (amount) => `La banque a décidé en votre faveur : ${amount} vous restent acquis.`,
      lost: (amount) => `La banque a décidé en faveur du client : ${amount} lui reviennent.`,
    },
  },
  methodLink: {
    subject: (merchant) => `Enregistrez un moyen de payer ${merchant}`,
    text: (merchant) => `${merchant} vous demande d'enregistrer une carte ou un compte, débité à l'échéance.`,
    button: 'Enregistrer une carte ou un compte',
  },
  test: { subject: 'Le courrier fonctionne', text: 'Ce message indique que le courrier est configuré.' },
}
