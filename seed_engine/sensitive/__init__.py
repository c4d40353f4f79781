"""Special-care personal information: categories and their law, cues, classifiers, the link of fact and person."""
