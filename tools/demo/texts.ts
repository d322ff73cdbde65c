/** A kind of question that people ask an application, with what it answers and what it reads for that. */
export type Topic = {
  readonly question: string;
  readonly answer: string;
  /** The corrected answer, where this one is wrong now and then. */
  readonly corrected?: string;
  readonly sources: readonly string[];
};

/** An application of the demonstration. */
export type DemoApplication = {
  readonly key: string;
  readonly mode: string;
  /** How many answers it gives on a day of work. */
  readonly perDay: number;
  readonly topics: readonly Topic[];
};

/** What stands in the place of `{…}` in a topic; one of them is drawn for each answer. */
export const SLOTS: Readonly<Record<string, readonly string[]>> = {
  item: ['the blue rain jacket', 'a pair of trail shoes', 'the kids’ backpack', 'a wool jumper', 'the two-person tent'],
  artikel: ['die Regenjacke', 'die Wanderschuhe', 'das Zelt', 'der Kinderrucksack'],
  articulo: ['la chaqueta', 'las botas', 'la tienda de campaña', 'la mochila'],
  order: ['A-20417', 'A-20983', 'A-21055', 'A-21902', 'A-22310', 'A-22871'],
  city: ['Leeds', 'Dublin', 'Utrecht', 'Ghent', 'Porto'],
  stadt: ['Bremen', 'Graz', 'Basel', 'Leipzig'],
  days: ['2', '3', '4', '5'],
  host: ['edge-03', 'edge-07', 'db-replica-2', 'cache-01'],
};

/** The applications of the demonstration: an outdoor shop with people of its own. */
export const APPLICATIONS: readonly DemoApplication[] = [
  {
    key: 'support-bot',
    mode: 'chat',
    perDay: 26,
    topics: [
      {
        question: 'How long can I return {item}?',
        answer: 'You can return {item} within 30 days, unworn and with its label.',
        corrected: 'You can return {item} within 14 days, unworn and with its label. The 30 days ended on 1 October.',
        sources: ['returns.md'],
      },
      {
        question: 'Where is my order {order}?',
        answer: 'Order {order} left our warehouse and should reach you in {days} working days.',
        sources: ['shipping.md'],
      },
      {
        question: 'Do you deliver to {city}?',
        answer: 'Yes, we deliver to {city}. Standard delivery takes {days} working days and costs €4.90.',
        corrected: 'Yes, we deliver to {city}. Standard delivery takes {days} working days and costs €5.90.',
        sources: ['shipping.md', 'prices.csv'],
      },
      {
        question: 'Is {item} waterproof?',
        answer:
          'The label of {item} says water-repellent, not waterproof. In steady rain it holds for about two hours.',
        sources: ['catalogue.md'],
      },
      {
        question: 'Can I change the address of order {order}?',
        answer:
          'As long as order {order} is not packed you can change its address under “My orders”. After that, please call us.',
        sources: ['shipping.md'],
      },
      {
        question: 'I paid twice for order {order}. What now?',
        answer:
          'One of the two payments of order {order} was only reserved. It is released within {days} days by your bank.',
        sources: ['payments.md'],
      },
      {
        question: 'Are jackets covered by your repair service?',
        answer:
          'Yes. We repair zips and seams of jackets for two years without charge.\n\n- send the jacket washed\n- put the form into the parcel\n- it takes about ten days',
        sources: ['repairs.md'],
      },
    ],
  },
  {
    key: 'kundendienst',
    mode: 'chat',
    perDay: 11,
    topics: [
      {
        question: 'Wie lange kann ich {artikel} zurückgeben?',
        answer: 'Sie können {artikel} innerhalb von 30 Tagen zurückgeben, ungetragen und mit Etikett.',
        corrected:
          'Sie können {artikel} innerhalb von 14 Tagen zurückgeben. Die frühere Frist von 30 Tagen gilt nicht mehr.',
        sources: ['returns.md'],
      },
      {
        question: 'Liefern Sie auch nach {stadt}?',
        answer: 'Ja, wir liefern nach {stadt}. Das dauert {days} Werktage.',
        sources: ['shipping.md'],
      },
      {
        question: 'Wo finde ich die Rechnung zu {order}?',
        answer: 'Die Rechnung zu {order} liegt unter „Meine Bestellungen“ als PDF.',
        sources: ['payments.md'],
      },
    ],
  },
  {
    key: 'tienda-es',
    mode: 'chat',
    perDay: 6,
    topics: [
      {
        question: '¿Puedo cambiar {articulo} por otra talla?',
        answer: 'Sí. Puede cambiar {articulo} por otra talla en un plazo de 14 días, sin gastos de envío.',
        sources: ['returns.md'],
      },
      {
        question: '¿Cuándo llega el pedido {order}?',
        answer: 'El pedido {order} llega en {days} días laborables.',
        sources: ['shipping.md'],
      },
    ],
  },
  {
    key: 'hr-assistant',
    mode: 'assistant',
    perDay: 5,
    topics: [
      {
        question: 'How many days of leave do I have left?',
        answer: 'You have {days} days left this year. Days that you do not use by 31 March are lost.',
        corrected: 'You have {days} days left this year. Days that you do not use by 30 June are lost.',
        sources: ['handbook.md'],
      },
      {
        question: 'Do I have to tell somebody about a second job?',
        answer: 'Yes. Ask your manager in writing before you begin; a refusal needs a reason.',
        sources: ['handbook.md'],
      },
    ],
  },
  {
    key: 'ops-copilot',
    mode: 'agent',
    perDay: 4,
    topics: [
      {
        question: 'Why is {host} alerting?',
        answer:
          '{host} has 4 % of its disk left since the log of last night’s import was kept. Rotating it frees 31 GB.',
        sources: ['runbook.md'],
      },
      {
        question: 'May I restart {host} now?',
        answer: 'Not yet: {host} serves the checkout of {city}. Drain it first; that takes about {days} minutes.',
        sources: ['runbook.md'],
      },
    ],
  },
];

/** The documents that the applications read, with one passage per line. */
export const DOCUMENTS: Readonly<Record<string, readonly string[]>> = {
  'returns.md': ['Articles can be returned within 14 days, unworn and with their label.', 'Until 1 October: 30 days.'],
  'shipping.md': ['Standard delivery takes two to five working days.', 'An order that is packed cannot be changed.'],
  'prices.csv': ['standard delivery, €5.90', 'express delivery, €12.90'],
  'catalogue.md': ['Rain jacket: water-repellent, 20,000 mm.', 'Trail shoe: not waterproof.'],
  'payments.md': ['A reserved amount is released by the bank within five days.', 'Invoices are PDF files.'],
  'repairs.md': ['Zips and seams are repaired without charge for two years.'],
  'handbook.md': ['Leave that is not used by 30 June is lost.', 'A second job needs consent in writing.'],
  'runbook.md': ['Drain a host before a restart.', 'The log of an import is kept for seven days.'],
};

/** Why somebody corrected, voided or redacted an answer. */
export const REASONS = {
  corrected: ['wrong deadline', 'the price list was out of date', 'the rule changed on 1 October'],
  voided: ['the answer was about another customer’s order', 'the model made this up'],
  redacted: ['the customer asked for erasure', 'a health detail was in the question'],
} as const;
