/** Live topics of support: tickets, who looks at them, saved replies, customers, suggestions, texts, notifications. */
export const TICKETS_TOPIC = 'tickets'
export const PRESENCE_TOPIC = 'tickets.presence'
export const SAVED_REPLIES_TOPIC = 'saved-replies'
export const CUSTOMERS_TOPIC = 'customers'
export const SUGGESTIONS_TOPIC = 'suggestions'
export const TEXTS_TOPIC = 'texts'
export const NOTIFICATIONS_TOPIC = 'notifications'
