import type { Topic } from './topic.ts'

export const chess: Topic = {
  language: 'en',
  home: {
    title: 'The Village Chess Club',
    text: [
      'Minutes, games and gossip of a club that meets on Thursdays above the fire station.',
      'Openings as we play them, endings as we lose them, and the members’ own account of how it happened.',
    ],
  },
  things: [
    ['Sicilian', 'leads to sharp fights that are over before the tea is cold'],
    ['Caro-Kann', 'is as solid as a barn and about as lively'],
    ['King’s Gambit', 'gives away a pawn and one’s peace of mind'],
    ['Queen’s Gambit', 'is no gambit, since the pawn always comes back'],
    ['French', 'locks the centre and a bishop behind it'],
    ['Dutch', 'weakens the king on the first move and dares you to prove it'],
    ['Ruy Lopez', 'was analysed by a priest and has been torture ever since'],
    ['London', 'is played by those who would rather not study'],
    ['Grünfeld', 'lets White build a proud centre in order to knock it down'],
    ['Scandinavian', 'brings the queen out early and takes her for a walk'],
    ['English', 'begins at the edge and creeps inward'],
    ['Pirc', 'waits in a crouch for the opponent to overreach'],
  ],
  aspects: [
    {
      title: 'Opening notes: the {thing}',
      sentences: [
        'Against the {thing} our secretary castles early and asks questions later.',
        'Develop the knights before the bishops, unless the bishop has somewhere better to be.',
        'By move {number} the books stop and the arguments start.',
        'Every pawn move leaves a square behind that it can never guard again.',
        'The visitor from the next valley knew a trap here and was too kind to use it.',
      ],
    },
    {
      title: 'Endings from the {thing}',
      sentences: [
        'Rook endings out of the {thing} are all drawn, says the proverb, and we lose them anyway.',
        'The king must walk: in the ending he is a fighting piece.',
        'With {number} minutes on the clock even a won position trembles.',
        'Bishops of opposite colours forgive an extra pawn or two.',
        'Push the passed pawn only when the rook stands behind it.',
      ],
    },
    {
      title: 'A club game: the {thing}',
      sentences: [
        'The {thing} was on the board at the top table when the siren went off downstairs.',
        'Black offered a draw with {number} pieces left, and White pretended not to hear.',
        'A knight on the rim sat there all evening, dim as promised.',
        'Spectators gathered, then coughed, which is against the rules.',
        'Resignation came with a handshake and a question about the dog.',
      ],
    },
  ],
  remarks: [
    'Clocks are wound on the first Thursday of the month.',
    'Touch a piece and you must move it, even if you only meant to straighten it.',
    'The junior team has beaten the seniors and is unbearable.',
    'Minutes of the last meeting were approved with one blunder.',
    'Scoresheets in pencil are accepted with a sigh.',
    'The white queen of board four is a salt cellar since the move.',
    'New members are welcome and need not bring a trophy.',
  ],
}
