import type { TicketDetail } from '@limber/contract/support/tickets/ticket.ts'
import NewSuggestion from '#support/suggestions/new-suggestion.tsx'

/** The first question and the last answer of the ticket. */
function draftOf({ messages }: TicketDetail): string {
  const question = messages.find(({ from_customer }) => from_customer)?.content
  const answer = messages.findLast(({ from_customer }) => !from_customer)?.content
  return [question && `Question: ${question}`, answer && `Answer: ${answer}`].filter(Boolean).join('\n\n')
}

/** Suggests knowledge base content from a ticket. */
export default function TicketSuggestion({ ticket, onClose }: { ticket: TicketDetail; onClose: () => void }) {
  return (
    <NewSuggestion
      onClose={onClose}
      context={`From ticket #${ticket.id}. Remove personal details before you create it.`}
      initial={{ title: ticket.subject, content: draftOf(ticket), target_section: 'faq', priority: 'medium' }}
      ticketId={ticket.id}
    />
  )
}
