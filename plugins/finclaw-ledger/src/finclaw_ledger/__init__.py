"""The user's own books: bank and broker exports in a local store, or a beancount file."""
