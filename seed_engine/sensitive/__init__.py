"""Special-care personal information: categories with their law, cues, classifiers, and the link of a fact to a person."""
