/** First names, the most frequent ones first: about half of the people have one of these. */
export const FIRST = [
  ...['Anna', 'Peter', 'Maria', 'Thomas', 'Hannah', 'Michael', 'Johanna', 'Andreas', 'Susanne', 'Stefan'],
  ...['Annika', 'Klaus', 'Marianne', 'Markus', 'Julia', 'Christian', 'Katharina', 'Martin', 'Sabine', 'Jan'],
  ...['Lea', 'Lukas', 'Sofia', 'Paul', 'Emma', 'Jonas', 'Mia', 'Felix', 'Clara', 'David'],
  ...['Amir', 'Yusuf', 'Fatima', 'Leyla', 'Piotr', 'Agnieszka', 'Giulia', 'Marco', 'Chloé', 'Jérôme'],
];

/** Last names, likewise. */
export const LAST = [
  ...['Müller', 'Schmidt', 'Schneider', 'Fischer', 'Weber', 'Meyer', 'Wagner', 'Becker', 'Hoffmann', 'Schulz'],
  ...['Neumann', 'Bauer', 'Zimmermann', 'Koch', 'Richter', 'Klein', 'Wolf', 'Hartmann', 'Braun', 'Krüger'],
  ...['Kowalski', 'Yılmaz', 'Rossi', 'Dubois', 'Jansen', 'Novák', 'García', 'Smith', 'Nguyen', 'Ivanov'],
];

/** Of one person alone. */
export const RARE = { first: 'Wilhelmbert', last: 'Quorvath' };
